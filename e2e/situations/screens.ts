import type { SituationScreen } from './situation.ts';

/** Chooses a file on *Add Pupils*, so that its review opens. Runs in the browser. */
function chooseFile(): void {
  const rows = Array.from({ length: 12 }, (_, row) => `Finch;Ada ${'abcdefghijkl'[row]};Year 3 Wrens`);
  const files = new DataTransfer();
  files.items.add(new File([`Surname;Forename;Class\n${rows.join('\n')}\n`], 'pupils.csv', { type: 'text/csv' }));
  const field = document.querySelector<HTMLInputElement>('input[type=file]')!;
  field.files = files.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

const isReviewOpen = (): boolean =>
  [...document.querySelectorAll('button')].some(({ textContent }) => /^Add \d+ pupils$/.test(textContent.trim()));

/** The screens of the matrix, for an admin of the demonstration school. A sample of every fifth has one of each kind. */
export const situationScreens: readonly SituationScreen[] = [
  { path: '/classes/2' },
  { path: '/pupils' },
  { path: '/pupils/29' },
  { path: '/classes/2/books' },
  { path: '/school/data' },
  { path: '/year-end' },
  { path: '/school/add-readers', open: chooseFile, isOpen: isReviewOpen },
  { path: '/school/records' },
  { path: '/teachers' },
  { path: '/account' },
  { path: '/' },
  { path: '/subscription' },
];
