import { writeFileSync } from 'node:fs';
import { PASSWORD, people, recentDays } from '../portal.ts';
import type { School } from '../school.ts';
import type { BrowserPage } from './browser-page.ts';

interface Stage {
  page: BrowserPage;
  /** A school for this browser alone, whose data the journeys change. */
  school: School;
  /** For files to upload. */
  folder: string;
}

export type Journey = [name: string, run: (stage: Stage) => Promise<void>];

/** Whether the canvas of the preview has more than one colour. Runs in the browser. */
function isPreviewPainted(): boolean {
  const canvas = document.querySelector<HTMLCanvasElement>('dialog canvas')!;
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  return new Uint32Array(data.buffer).some((pixel, _, pixels) => pixel !== pixels[0]);
}

export async function logIn(page: BrowserPage, email: string): Promise<void> {
  await page.goto('/login');
  await page.fill('label', 'Email', email);
  await page.fill('label', 'Password', PASSWORD);
  await page.click('button', 'Log in');
  await page.see('heading', /Dashboard|Welcome/);
}

/** The main journeys, in order: each starts where the one before ended. */
export const journeys: Journey[] = [
  [
    'log in and see the dashboard',
    async ({ page }) => {
      await page.goto('/login');
      await page.show('login');
      await logIn(page, people.admin);
      await page.see('region', 'Accuracy over time');
      await page.gone('css', '[aria-busy="true"]');
      await page.show('dashboard');
    },
  ],
  [
    'search and sort pupils',
    async ({ page }) => {
      await page.click('link', 'Pupils');
      await page.see('heading', 'Pupils');
      await page.show('pupils');
      await page.click('link', /^Last read/);
      await page.see('css', 'th[aria-sort]:not([aria-sort="none"])');
      await page.fill('searchbox', 'Search by name or username', 'wisniewski');
      await page.at(/search=wisniewski/);
      // Until then the rows move.
      await page.see('text', /^1 pupil$/);
      await page.click('link', 'Łukasz Wiśniewski');
    },
  ],
  [
    'look at a pupil and at a book',
    async ({ page }) => {
      await page.see('heading', /Łukasz Wiśniewski/);
      await page.goto(`/pupils/50?${recentDays()}`);
      await page.see('heading', /Łukasz Wiśniewski/);
      await page.show('pupil');
      // The line around it folds the chart.
      await page.click('css', '[aria-label="About accuracy over time"]');
      await page.see('css', 'details[open] [role="note"]');
      await page.goto('/pupils/29/books/101');
      await page.see('heading', 'The Wet Pup');
      await page.show('book of a pupil');
    },
  ],
  [
    'preview a book of the library',
    async ({ page }) => {
      await page.goto('/classes/2/books');
      await page.see('heading', /^Books of/);
      await page.show('library');
      await page.click('button', 'Book info: The Wet Pup');
      await page.see('dialog', 'The Wet Pup');
      await page.click('button', 'Preview book');
      await page.see('text', 'Cover');
      await page.click('button', 'Next');
      await page.see('text', 'Page 1 of 9');
      await page.see('text', /Pip is a pup\./);
      if (!(await page.evaluate<boolean>(String(isPreviewPainted))))
        throw new Error('The preview shows an empty page.');
      await page.show('preview of a book');
      await page.pressEscape();
    },
  ],
  [
    'log out and go back',
    async ({ page }) => {
      // A whole load: its document may be restored from the browser's cache.
      await page.goto('/pupils');
      await page.see('heading', 'Pupils');
      await page.click('button', 'Log out');
      await page.see('button', 'Log in');
      for (const _ of [1, 2]) {
        await page.back();
        await page.see('button', 'Log in');
        if (await page.evaluate<boolean>("() => document.body?.innerText.includes('Dashboard')"))
          throw new Error('A page of the user who logged out is shown again.');
      }
    },
  ],
  [
    'log out by the address, without scripts, and after a log out that did not arrive',
    async ({ page }) => {
      const expectLoggedOut = async () => {
        await page.see('button', 'Log in');
        await page.goto('/pupils');
        await page.see('button', 'Log in');
      };
      await logIn(page, people.admin);
      await page.goto('/logout');
      await expectLoggedOut();

      await logIn(page, people.admin);
      // As without scripts: no handler of the page runs.
      await page.evaluate(`() => document.querySelector('form[action="/logout"]').submit()`);
      await expectLoggedOut();

      await logIn(page, people.admin);
      await page.evaluate('() => { window.fetch = () => Promise.reject(new TypeError("offline")); }');
      await page.click('button', 'Log out');
      await page.see('heading', 'You are still logged in on this device');
      await page.show('log out that did not arrive');
      await page.goto('/pupils');
      await expectLoggedOut();
    },
  ],
  [
    'select pupils and move them',
    async ({ page, school }) => {
      await logIn(page, school.admin);
      await page.goto(`/classes/${school.classes.get('Year 4 Larks')}`);
      await page.click('checkbox', 'Select Ada Finch');
      await page.click('checkbox', 'Select Ben Crane');
      await page.see('text', '2 of 4 selected');
      await page.click('button', 'Change Class');
      await page.choose('New class', 'Year 5 Jays');
      await page.show('moving pupils');
      await page.click('button', 'Change class');
      await page.see('text', /2 pupils moved to Year 5 Jays/);
    },
  ],
  [
    'import pupils from a file',
    async ({ page, folder }) => {
      const file = `${folder}/pupils.csv`;
      writeFileSync(file, 'Surname;Forename;Class\nSmith;Jane;Year 3 Wrens\nBrown;Sam;Year 3 Wrens\n');
      await page.goto('/school/add-readers');
      await page.see('heading', 'Add Pupils');
      await page.attach('input[type=file]', file);
      await page.see('text', '1 class will be created: Year 3 Wrens.');
      await page.show('import of a file');
      await page.click('button', 'Add 2 pupils');
      await page.see('dialog', 'New logins');
      await page.see('article', 'Login card for Jane Smith');
      await page.show('logins of new pupils');
      await page.click('label', 'I have downloaded the files');
      await page.click('button', 'Close');
      await page.see('text', 'The pupils have been added to the school');
    },
  ],
  [
    'reset a password',
    async ({ page, school }) => {
      await page.goto(`/pupils/${school.pupils.get('Cleo Wren')}`);
      await page.click('button', 'RESET PASSWORD');
      await page.click('button', 'Reset password');
      await page.see('article', 'Login card for Cleo Wren');
      await page.show('login card');
    },
  ],
  [
    'apply the year-end changes and undo them',
    async ({ page }) => {
      await page.goto('/year-end');
      await page.see('label', 'New name of Year 4 Larks');
      await page.show('year end');
      await page.click('button', 'Apply the year-end changes');
      await page.see('dialog', 'Apply the year-end changes?');
      await page.show('confirmation of the year end');
      await page.click('button', 'Apply the year-end changes');
      await page.click('button', 'Undo the year end');
      await page.see('dialog', /./);
      await page.click('button', 'Undo the year end');
      await page.see('label', 'New name of Year 4 Larks');
    },
  ],
  [
    'buy a package',
    async ({ page }) => {
      await page.goto('/select-subscription');
      await page.see('heading', 'Choose a package');
      await page.show('packages');
      await page.click('link', 'Choose One-form entry');
      await page.fill('label', 'Contact email', 'finance@oak-row.example');
      await page.show('billing details');
      await page.click('button', 'Continue');
      await page.see('heading', 'Check and confirm');
      await page.click('button', 'Confirm subscription');
      await page.see('heading', 'Thank you');
      await page.show('invoice');
    },
  ],
];
