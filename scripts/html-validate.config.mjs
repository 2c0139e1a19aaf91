// What html-validate looks for in the pages. A rule that is off says why.

export default {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // The same to browsers, and when a page is written down by a browser, it has its own way.
    "doctype-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    // The name of a list (of animals, of games) is heard, and no rule of ARIA forbids it.
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    // An id may hold any character but spaces; those of Fours' cards hold "." and "?".
    "valid-id": ["error", { relaxed: true }],
    // A button without a type sends its form, which is what nearly all of ours are for; a table
    // has dozens of them, and each byte of the first load counts.
    "no-implicit-button-type": "off",
    // The rule takes no button without a type for one that sends (above), nor sees that checkboxes
    // of one name are a list. That each form sends what its route reads is tried by other tests.
    "form-dup-name": "off",
    // Scripts set sizes in a page. Its text may have no style, or the security policy refuses it.
    "no-inline-style": "off",
    // Two forms are hidden and sent by scripts: the page that draws them has no button for them.
    "wcag/h32": "off",
  },
};
