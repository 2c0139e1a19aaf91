// What html-validate looks for in the pages. Above each rule that is off is the reason.

export default {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // All forms mean the same, and a page that a browser has written out uses its own.
    "doctype-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    // Screen readers say the name of a list (of animals, of games), and ARIA allows one.
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    // An id may have any characters except spaces; those of Fours' cards have "." and "?".
    "valid-id": ["error", { relaxed: true }],
    // A button without a type sends its form, which is what nearly all of ours are for; a table
    // has dozens of them, and each byte of the first load counts.
    "no-implicit-button-type": "off",
    // The rule does not know that a button without a type sends its form (above), nor that
    // checkboxes of one name are a list. Other tests check that forms send what routes read.
    "form-dup-name": "off",
    // Scripts set sizes in a page. The security policy refuses styles in its text.
    "no-inline-style": "off",
    // Two forms are hidden and sent by scripts: the page that draws them has no button for them.
    "wcag/h32": "off",
  },
};
