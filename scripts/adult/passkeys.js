// @ts-check
// A form with data-passkey makes or uses a passkey before it is sent.

/** @param {HTMLFormElement} form */
async function answer(form) {
  const options = JSON.parse(form.dataset.options ?? "{}");
  if (form.dataset.passkey === "create") {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  }
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return navigator.credentials.get({ publicKey });
}

/** @param {SubmitEvent} event */
async function submitted(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.dataset.passkey) return;
  const field = form.elements.namedItem(form.dataset.passkey === "create" ? "made" : "signed");
  if (!(field instanceof HTMLInputElement) || field.value) return;
  event.preventDefault();
  try {
    field.value = JSON.stringify(await answer(form));
  } catch {
    return; // the person has closed the window, and may try again
  }
  form.submit();
}

export function startPasskeys() {
  document.addEventListener("submit", submitted);
}
