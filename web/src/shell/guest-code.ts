const CODE = /^#([a-z\d]{4}-?[a-z\d]{4}-?[a-z\d]{4})$/i;

/**
 * Fills in the code of a supply teacher's card. The QR code on the card has it in the fragment, which no server sees, and
 * it does not stay in the address. The supply teacher sends it themselves.
 */
function fillCode(): void {
  const code = CODE.exec(location.hash)?.[1];
  if (code === undefined || location.pathname !== '/supply') return;
  history.replaceState(history.state, '', location.pathname + location.search);
  const field = document.querySelector<HTMLInputElement>('input[data-code]');
  if (field) field.value = code.toUpperCase();
}

/** Fills in the code now, and when another card is scanned while the page is open. */
export function fillCodes(): void {
  fillCode();
  addEventListener('hashchange', fillCode);
}
