import {
  getPasskey,
  hasPasskeys,
  isCancelled,
  offersInFields,
} from '../features/accounts/second-factor/passkeys.public.ts';
import { getPreference } from '../shared/preferences.ts';
import { sendForm, showProblem } from './send-forms.ts';

const formWithPasskey = () => document.querySelector<HTMLFormElement>('form[data-passkey-options]');

/** Asks the device for a passkey and sends it. */
async function logIn(form: HTMLFormElement, offersInField = false): Promise<void> {
  const response = await fetch(form.dataset.passkeyOptions!, { method: 'POST' });
  const { options, error } = (await response.json()) as { options?: object; error?: string };
  if (!options) return showProblem(form, error);
  const passkey = await getPasskey(options, offersInField);
  // The page may show another form meanwhile.
  const current = formWithPasskey();
  if (!current) return;
  current.querySelector<HTMLInputElement>('[name="passkey"]')!.value = JSON.stringify(passkey);
  await sendForm(current);
}

/** Offers passkeys in the email field of a browser that has used one before, where it can. */
async function offer(): Promise<void> {
  const form = formWithPasskey();
  const hasField = document.querySelector('[autocomplete~="webauthn"]') !== null;
  if (form && hasField && getPreference('passkey') === 'used' && (await offersInFields())) await logIn(form, true);
}

/** Makes logins with a passkey work. */
export function listenForPasskeys(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset.passkeyOptions === undefined) return;
    event.preventDefault();
    logIn(form).catch((error: unknown) => {
      if (!isCancelled(error)) showProblem(form);
    });
  });
  // Without a passkey the form remains.
  offer().catch(() => undefined);
}

/** Hides what this browser cannot do. */
export function hidePasskeys(): void {
  const form = formWithPasskey();
  if (!form || hasPasskeys()) return;
  for (const button of document.querySelectorAll<HTMLElement>(`[form="${form.id}"]`)) button.hidden = true;
}
