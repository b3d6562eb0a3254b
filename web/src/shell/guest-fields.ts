import { announce } from '../shared/announcements.ts';
import { describeStrength } from '../ui/password-strength.ts';

const inputBeside = (button: Element) =>
  button.closest('div:has(input)')?.querySelector<HTMLInputElement>('input') ?? undefined;

/** Shows and hides passwords, as `PasswordField` does in the app. */
function togglePassword(button: HTMLElement): void {
  const input = inputBeside(button);
  if (!input) return;
  const isShown = input.type === 'password';
  input.type = isShown ? 'text' : 'password';
  button.textContent = isShown ? 'Hide' : 'Show';
  button.ariaLabel = isShown ? 'Hide password' : 'Show password';
}

const NAMES = 'input[autocomplete="given-name"], input[autocomplete="family-name"]';

/** Says how hard a new password is to guess, as `NewPasswordField` does in the app. */
function showStrength(field: HTMLElement): void {
  const { value } = field.querySelector('input')!;
  const names = [...(field.closest('form')?.querySelectorAll<HTMLInputElement>(NAMES) ?? [])].map((name) => name.value);
  const { strength, text } = describeStrength(value, names);
  field.dataset.strength = String(strength);
  for (const [step, bar] of field.querySelectorAll('[data-meter] > span').entries())
    bar.toggleAttribute('data-on', step < strength);
  const word = field.querySelector('[data-strength-word]')!;
  if (word.textContent === text) return;
  word.textContent = text;
  if (text) announce(text);
}

/** Makes the password fields of the page do what they do in the app. */
export function improveFields(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-toggles-password]');
    if (button) togglePassword(button);
    const link = (target as Element).closest('[role="alert"] a[href^="#"]');
    if (link) document.getElementById(link.getAttribute('href')!.slice(1))?.scrollIntoView({ block: 'center' });
  });
  document.addEventListener('input', ({ target }) => {
    for (const field of (target as Element).closest('form')?.querySelectorAll<HTMLElement>('[data-strength]') ?? [])
      showStrength(field);
  });
}
