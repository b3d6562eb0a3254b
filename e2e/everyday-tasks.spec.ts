import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { callApi, expect, expectLoaded, pasteText, people, saveFile, test } from './portal.ts';
import { buildSchool, sendReading } from './school.ts';

const DOCUMENT = join(import.meta.dirname, '../docs/everyday-tasks.md');
const MAX_ACTIONS = 5;
const WORDS_PER_SECOND = 4;
/** The table states reading times in steps of this many seconds. */
const STEP = 5;

/** Thirty pupils of two classes, as copied from a spreadsheet. */
const THIRTY = [
  'Name\tClass',
  ...Array.from({ length: 30 }, (_, index) => {
    const letter = String.fromCharCode(97 + (index % 26));
    return `Pupil${letter} Family${letter}${index < 26 ? '' : 'son'}\t${index < 15 ? '3 Wrens' : '4 Larks'}`;
  }),
].join('\n');

/** Counts clicks and keys in the browser, across the pages of a task. */
function listenForActions(): void {
  const add = (kind: string) => sessionStorage.setItem(kind, String(Number(sessionStorage.getItem(kind)) + 1));
  let list: EventTarget | null = null;
  window.addEventListener('pointerdown', ({ isTrusted }) => isTrusted && add('clicks'), true);
  window.addEventListener(
    'keydown',
    ({ isTrusted, key, target, ctrlKey, metaKey }) => {
      if (!isTrusted || ['Shift', 'Control', 'Meta', 'Alt'].includes(key)) return;
      const isLetter = key.length === 1 && !ctrlKey && !metaKey;
      if (isLetter && target instanceof HTMLInputElement && target.type !== 'checkbox') return;
      // The first letters of an option choose it.
      const isSameOption = isLetter && target instanceof HTMLSelectElement && target === list;
      list = isLetter ? target : null;
      if (!isSameOption) add('keys');
    },
    true,
  );
}

interface Task {
  name: string;
  clicks: number;
  keys: number;
  /** In seconds. */
  reading: number;
}

const toRow = ({ name, clicks, keys, reading }: Task) => `| ${name} | ${clicks} | ${keys} | ${reading} s |\n`;

function parseRows(document: string): Task[] {
  return [...document.matchAll(/^\| (.+) \| (\d+) \| (\d+) \| (\d+) s \|$/gm)].map(
    ([, name = '', clicks, keys, reading]) => ({
      name,
      clicks: Number(clicks),
      keys: Number(keys),
      reading: Number(reading),
    }),
  );
}

/** Runs tasks on a page and measures each. */
async function measureTasks(page: Page) {
  const tasks: Task[] = [];
  let words = 0;
  await page.addInitScript(listenForActions);
  const count = (kind: string) => page.evaluate((key) => Number(sessionStorage.getItem(key)), kind);
  return {
    tasks,
    /** Adds the words of a part of the page, which a user reads for the task. */
    read: async (part: Locator) => {
      await expect(part).toBeVisible();
      // What is in fields is read too.
      const values = await part
        .locator('input')
        .evaluateAll((fields) =>
          fields.flatMap((field) => (field instanceof HTMLInputElement && field.type === 'text' ? [field.value] : [])),
        );
      words += [await part.innerText(), ...values].join(' ').split(/\s+/).filter(Boolean).length;
    },
    run: (name: string, path: string, work: () => Promise<unknown>) =>
      test.step(name, async () => {
        words = 0;
        await page.goto(path);
        await expectLoaded(page);
        await page.evaluate(() => ['clicks', 'keys'].forEach((kind) => sessionStorage.removeItem(kind)));
        await work();
        const reading = Math.max(1, Math.round(words / WORDS_PER_SECOND / STEP)) * STEP;
        tasks.push({ name, clicks: await count('clicks'), keys: await count('keys'), reading });
      }),
  };
}

test('everyday tasks take the clicks and keys in docs/everyday-tasks.md, and at most five', async ({
  logIn,
  portal,
}) => {
  const larks = ['Ada Finch', 'Ben Crane', 'Cleo Wren', 'Dev Heron', 'Elin Rook', 'Fay Swift'];
  const school = await buildSchool(portal, {
    classes: { 'Year 4 Larks': larks, 'Year 5 Jays': ['Gus Kite'], 'Year 6 Owls': ['Hal Raven', 'Ida Stork'] },
  });
  const { admin, classes, pupils, token } = school;
  const classPath = `/classes/${classes.get('Year 4 Larks')}`;
  const library = `/enterprises/${school.id}/groups/${classes.get('Year 4 Larks')}/books`;
  const { books } = await callApi<{ books: { id: number; title: string }[] }>(
    portal,
    'GET',
    `${library}?level_from=3&level_to=3&per_page=3`,
    undefined,
    token,
  );
  const [book] = books;
  await callApi(portal, 'POST', library, { book_ids: [book?.id] }, token);
  for (const name of ['Ada Finch', 'Ben Crane', 'Cleo Wren'])
    await sendReading(portal, school, name, {
      book_id: book?.id ?? 0,
      words_correct: 84,
      played_words: ['poking', 'hundred', 'flashing'],
    });
  const page = await logIn(admin, '/account');
  const { tasks, run, read } = await measureTasks(page);
  const dialog = page.getByRole('dialog');
  const choose = async (list: Locator, option: string) => {
    await list.focus();
    await page.keyboard.type(option);
  };

  await run(
    'Monday: who needs me, and easier books for one of them',
    `/?class=${classes.get('Year 4 Larks')}`,
    async () => {
      const panel = page.getByRole('region', { name: 'Who needs me' });
      await read(page.getByText(/ need you\.$/));
      await read(panel.getByRole('list', { name: 'Pupils who need help' }));
      await panel.getByRole('link', { name: 'Ada Finch' }).click();
      const reasons = page.getByRole('region', { name: 'Why this pupil needs help' });
      await read(reasons);
      await reasons.getByRole('button', { name: 'Assign level 2 books' }).click();
      await read(dialog);
      await dialog.getByRole('button', { name: 'Assign 3 books' }).click();
      await expect(page.getByText('3 books assigned to Ada Finch')).toBeVisible();
    },
  );

  await run('Class: words to practise for three pupils, printed', classPath, async () => {
    for (const name of ['Ada Finch', 'Ben Crane', 'Cleo Wren']) {
      await read(page.getByRole('row').filter({ hasText: name }).getByRole('link', { name, exact: true }));
      await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    }
    await page.getByRole('button', { name: 'Print words' }).click();
    await expect(dialog.getByLabel('hundred')).toBeChecked();
    await read(dialog);
    await saveFile(page, dialog.getByRole('button', { name: 'Print sheet' }));
  });

  await run('Class: all books of a level assigned, and who opened one', classPath, async () => {
    await page.getByRole('link', { name: 'Manage books', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Books of Year 4 Larks' })).toBeVisible();
    await choose(page.getByLabel('Reading Levels from'), 'Level 3');
    await choose(page.getByLabel('Reading Levels to'), 'Level 3');
    await read(page.getByText(/on view, \d+ not assigned$/));
    await page.getByRole('button', { name: 'Assign all on view' }).click();
    await expect(page.getByText(/^\d+ books assigned to Year 4 Larks$/)).toBeVisible();
    const card = page.getByRole('listitem').filter({ hasText: book?.title ?? '' });
    await card.hover();
    await card.getByRole('button', { name: `Book info: ${book?.title}` }).click();
    await read(dialog.getByRole('region', { name: 'Opened by 3 of 6 pupils, finished by 0' }));
  });

  await run(
    'Pupil: forgotten password, with the card on the screen',
    `/pupils/${pupils.get('Ada Finch')}`,
    async () => {
      await page.getByRole('button', { name: 'RESET PASSWORD' }).click();
      await read(dialog);
      await dialog.getByRole('button', { name: 'Reset password' }).click();
      await read(page.getByRole('article', { name: 'Login card for Ada Finch' }));
    },
  );
  await page.reload();
  await expect(page.getByText('You made a new login card')).toBeVisible();

  await run('Class: a new pupil in the middle of the term, with a printed card', classPath, async () => {
    await page.getByRole('link', { name: 'Add Pupils' }).click();
    await expect(page.getByLabel('Name of pupil 1', { exact: true })).toBeFocused();
    await page.keyboard.type('Jon Dove');
    await page.getByRole('button', { name: 'Check the names' }).click();
    await read(page.getByRole('table', { name: 'Rows of the list' }));
    await page.getByRole('button', { name: 'Add 1 pupil', exact: true }).click();
    await read(dialog);
    await dialog.getByRole('button', { name: 'Print', exact: true }).click();
    await read(dialog.getByText('Did the cards print?'));
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByRole('link', { name: 'Jon Dove', exact: true })).toBeVisible();
  });

  await run('Class: pages for parents’ evening of all pupils', classPath, async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByLabel('More actions for the selected pupils').click();
    await read(page.locator('details[open]'));
    await saveFile(page, page.getByRole('button', { name: 'Pages for parents’ evening' }));
  });

  await run('Class: five pupils moved to another class', classPath, async () => {
    await page.getByRole('checkbox', { name: 'Select Ada Finch' }).click();
    await page.getByRole('checkbox', { name: 'Select Elin Rook' }).click({ modifiers: ['Shift'] });
    await read(page.getByText('5 of 7 selected'));
    await page.getByRole('button', { name: 'Change Class' }).click();
    await expect(dialog.getByLabel('New class')).toBeFocused();
    await read(dialog);
    await page.keyboard.type('Year 5');
    await dialog.getByRole('button', { name: 'Change class' }).click();
    await expect(page.getByText('5 pupils moved to Year 5 Jays')).toBeVisible();
  });

  await run('Subscription: a package bought, to be paid by bank transfer', '/subscription', async () => {
    await page.getByRole('link', { name: 'Choose One-form entry' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Check and confirm' })).toBeVisible();
    await read(page.getByRole('main'));
    await page.getByRole('button', { name: 'Confirm subscription' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible();
    await read(page.getByRole('main'));
    await page.getByRole('link', { name: 'Pay Now' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'How to pay' })).toBeVisible();
  });

  await run('Teachers: a colleague invited with a class', '/teachers', async () => {
    await page.getByRole('link', { name: 'Add Teacher' }).first().click();
    await page.getByLabel('Email of teacher 1').click();
    await page.keyboard.type('new.colleague@oak-row.example');
    await choose(page.getByLabel('Class of teacher 1 (optional)'), 'Year 6');
    await page.getByRole('button', { name: 'Send invitations' }).click();
    await read(page.getByText('new.colleague@oak-row.example').first());
    await expect(page.getByRole('button', { name: 'Copy the link for new.colleague@oak-row.example' })).toBeVisible();
  });

  await run('Classes: the year end of three classes', '/classes', async () => {
    await page.getByRole('link', { name: 'Year end' }).click();
    await expect(page.getByLabel('New name of Year 4 Larks')).toHaveValue('Year 5 Larks');
    await read(page.getByRole('main'));
    await page.getByRole('button', { name: 'Apply the year-end changes' }).click();
    await read(dialog);
    await dialog.getByRole('button', { name: 'Apply the year-end changes' }).click();
    await expect(page.getByText('2 classes moved up and 2 pupils left')).toBeVisible();
  });

  await callApi(portal, 'DELETE', `/readers/${pupils.get('Fay Swift')}`, undefined, token);
  await run('Who deleted a pupil', '/', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pupils' }).click();
    await page.getByRole('link', { name: 'Archive' }).click();
    const entry = page.getByRole('row').filter({ hasText: 'Fay Swift' });
    await expect(entry).toContainText('Olive Oak');
    await read(entry);
  });

  const fresh = await buildSchool(portal);
  await logIn(fresh.admin, '/account');
  await run('A new school: thirty pupils pasted, and their cards printed', '/', async () => {
    await page.getByRole('link', { name: 'Add pupils' }).click();
    const first = page.getByLabel('Name of pupil 1', { exact: true });
    await expect(first).toBeFocused();
    // A paste needs no key presses.
    await pasteText(first, THIRTY);
    await read(page.getByRole('table', { name: 'Rows of the list' }));
    await page.getByRole('button', { name: 'Add 30 pupils', exact: true }).click();
    await dialog.getByRole('button', { name: 'Print', exact: true }).click();
    await read(dialog.getByText('Did the cards print?'));
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByRole('table', { name: 'Pupils' })).toBeVisible();
  });

  await logIn(people.teacher, '/account');
  await run('Who has not read this week', '/', async () => {
    // On a Monday morning that is every pupil, and in a good week none.
    const week = page.getByText(/^(All \d+|\d+ of \d+|No one) (has |have )?read (last|this|yet this) week/);
    await read(week.first());
  });

  await logIn(people.admin, '/account');
  await run('The last half-term, on one page for governors', '/', async () => {
    const dates = page.locator('summary').filter({ hasText: 'Dates:' });
    await dates.click();
    await page.getByRole('link', { name: 'Last half-term', exact: true }).click();
    await expect(dates).toContainText('Last half-term');
    await read(dates);
    await page.getByLabel('Download the figures').click();
    await saveFile(page, page.getByRole('button', { name: 'Summary for governors (PDF)' }));
  });

  await run('Help on a term', '/', async () => {
    await page.getByLabel('About accuracy over time').click();
    await read(page.getByRole('note').first());
  });

  for (const { name, clicks, keys } of tasks) expect.soft(clicks + keys, name).toBeLessThanOrEqual(MAX_ACTIONS);
  const document = readFileSync(DOCUMENT, 'utf8');
  const written = parseRows(document);
  if (process.env.WRITE_TASKS)
    writeFileSync(DOCUMENT, document.replace(/(\|---\|---\|---\|---\|\n)(\|.*\n)*/, `$1${tasks.map(toRow).join('')}`));
  else {
    const withoutReading = (all: readonly Task[]) => all.map(({ name, clicks, keys }) => ({ name, clicks, keys }));
    expect(withoutReading(written)).toEqual(withoutReading(tasks));
    // What a page says depends a little on the day.
    for (const [index, { name, reading }] of tasks.entries())
      expect.soft(Math.abs(reading - (written[index]?.reading ?? 0)), name).toBeLessThanOrEqual(STEP);
  }
});
