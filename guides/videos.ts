import type { Actor } from './actor.ts';

/** The steps of a video, and the folders of the screens shown. */
interface Scene {
  /** The first page. */
  path: string;
  features: string[];
  play: (actor: Actor) => Promise<void>;
}

const button = ({ page }: Actor, name: string | RegExp) => page.getByRole('button', { name });
const link = ({ page }: Actor, name: string | RegExp) => page.getByRole('link', { name });
const dialog = ({ page }: Actor) => page.getByRole('dialog');
const printButton = (actor: Actor) => dialog(actor).getByRole('button', { name: 'Print' });

/** The videos by ID (`content/help/contents.json`), recorded in the demonstration school. */
export const scenes: Record<string, Scene> = {
  'see-how-a-class-reads': {
    path: '/',
    features: ['dashboard'],
    play: async (actor) => {
      await actor.say('The dashboard shows how your classes read.', () => actor.pause(1200));
      await actor.say('Choose a class at the top.', () =>
        actor.choose(actor.page.getByLabel('Class', { exact: true }), /Kingfishers/),
      );
      await actor.say('How long pupils read, by reading level. No bar means no reading that day.', () =>
        actor.point(actor.page.getByRole('heading', { name: 'Reading time over time' })),
      );
      await actor.say('How many words they read correctly.', () =>
        actor.point(actor.page.getByRole('heading', { name: 'Accuracy over time' })),
      );
      await actor.say('Further down, each pupil has a bar. Whose bar is missing?', () =>
        actor.point(actor.page.getByRole('heading', { name: 'Reading time by pupil' })),
      );
      await actor.say('Every chart can be shown as a table.', () =>
        actor.press(button(actor, /Show as table/).first()),
      );
      await actor.pause();
    },
  },
  'look-at-one-pupil': {
    path: '/',
    features: ['pupils', 'reading'],
    play: async (actor) => {
      await actor.say('Press Ctrl and K on any screen to find a pupil.', () => actor.page.keyboard.press('Control+k'));
      await actor.say('A few letters of the name are enough.', async () => {
        await actor.page.keyboard.type('ava', { delay: 140 });
        await actor.page.getByRole('listbox').getByRole('option').first().waitFor();
      });
      await actor.say('Enter opens the pupil’s page.', () => actor.page.keyboard.press('Enter'));
      await actor.say('How long the pupil read, and how many books.', () =>
        actor.point(actor.page.getByText('Books completed').first()),
      );
      await actor.say('Each line of the table is a book: when, how long and how well the pupil read it.', () =>
        actor.point(actor.page.getByRole('heading', { name: 'Reading sessions' })),
      );
      await actor.say('Click a column heading to sort.', () =>
        actor.press(actor.page.getByRole('columnheader', { name: /Accuracy/ }).getByRole('link')),
      );
      await actor.pause();
    },
  },
  'give-books-to-a-class': {
    path: '/classes',
    features: ['books'],
    play: async (actor) => {
      await actor.say('Open the class, and press Manage books.', async () => {
        await actor.press(link(actor, /Kingfishers/).first());
        await actor.press(link(actor, 'Manage books').first());
      });
      await actor.say('Choose the reading levels that suit the class.', () =>
        actor.choose(actor.page.getByLabel('Reading Levels from'), '2'),
      );
      await actor.say('Only Unassigned shows the books that the class does not have yet.', () =>
        actor.press(actor.page.getByText('Only Unassigned').first()),
      );
      await actor.say('Book info shows what a book is about.', () => actor.press(button(actor, /Book info/).first()));
      await actor.say('Close it again.', () => actor.page.keyboard.press('Escape'));
      await actor.say('Assign to class gives a book to every pupil in the class.', () =>
        actor.press(button(actor, /Assign .*to class/).first()),
      );
      await actor.pause();
    },
  },
  'reset-passwords': {
    path: '/classes/2',
    features: ['classes', 'login-cards'],
    play: async (actor) => {
      await actor.say('Open the class, and tick the pupils who have lost their cards.', async () => {
        const boxes = actor.page.getByRole('row').getByRole('checkbox');
        for (const index of [1, 3]) await actor.press(boxes.nth(index));
      });
      await actor.say('Press Reset Passwords.', () => actor.press(button(actor, 'Reset Passwords')));
      await actor.say('The old passwords stop working. Confirm.', () =>
        actor.press(dialog(actor).getByRole('button', { name: 'Reset passwords' })),
      );
      await actor.say('The new cards appear at once. We also email you a link.', () =>
        printButton(actor).waitFor({ timeout: 60_000 }),
      );
      await actor.say('Print them, or let the children copy them.', () => actor.point(printButton(actor)));
      await actor.say('Larger cards and a list are here.', () =>
        actor.press(dialog(actor).getByText('Other sizes and a spreadsheet')),
      );
      await actor.pause();
    },
  },
  'make-certificates': {
    path: '/classes/2',
    features: ['classes', 'help'],
    play: async (actor) => {
      await actor.say('Press Certificate: on a class’s page under More, or on a pupil’s page.', async () => {
        await actor.press(actor.page.getByLabel(/^More to do with/));
        await actor.press(button(actor, 'Certificate'));
      });
      await actor.say('Choose one of the six certificates.', () =>
        actor.choose(dialog(actor).getByLabel('Certificate', { exact: true }), 'Superstar Reader'),
      );
      await actor.say('One for each pupil, or one for the whole class.', () =>
        actor.point(dialog(actor).getByText(/as a whole/)),
      );
      await actor.say('Add a reason, if you like.', () =>
        actor.type(dialog(actor).getByLabel('Reason (optional)'), 'For reading every day this week'),
      );
      await actor.say('Names, class and date are filled in. Print, sign, and hand out.', () =>
        actor.press(dialog(actor).getByRole('button', { name: 'Download certificate' })),
      );
      await actor.pause(1200);
    },
  },
  'check-school-details': {
    path: '/school',
    features: ['school'],
    play: async (actor) => {
      await actor.say('Your school, with the people we write to.', () =>
        actor.point(actor.page.getByRole('heading', { name: 'Primary contact' })),
      );
      await actor.say('To correct something, press Update the school details.', () =>
        actor.press(link(actor, 'Update the school details')),
      );
      await actor.say('Change what is wrong.', () => actor.point(actor.page.getByLabel('School name')));
      await actor.say('Do invoices go to a different person? Then untick this box.', () =>
        actor.point(actor.page.getByLabel('Billing same as primary')),
      );
      await actor.say('A second set of fields is for the billing contact.', () => actor.pause(1600));
      await actor.say('Save at the bottom of the form.', () =>
        actor.point(actor.page.locator('form').getByRole('button').last()),
      );
      await actor.pause();
    },
  },
  'invite-teachers': {
    path: '/teachers',
    features: ['teachers'],
    play: async (actor) => {
      await actor.say('Administrators can see all staff here. Press Add Teacher.', () =>
        actor.press(link(actor, 'Add Teacher').first()),
      );
      await actor.say('Type an email address. The name is optional.', async () => {
        await actor.type(actor.page.getByLabel('Email of teacher 1'), 'grace.lim@willowbank.example');
        await actor.type(actor.page.getByLabel('Name of teacher 1 (optional)'), 'Grace Lim');
      });
      await actor.say('Use one row for each. Or upload a spreadsheet instead.', () =>
        actor.point(actor.page.getByText('Choose a spreadsheet').first()),
      );
      await actor.say('Send the invitations.', () => actor.press(button(actor, 'Send invitations')));
      await actor.say('Each teacher gets an email with a link, which works for 14 days.', () => actor.pause(1200));
      await actor.pause();
    },
  },
  'create-a-class': {
    path: '/classes',
    features: ['classes'],
    play: async (actor) => {
      await actor.say('Pupils, books and charts are organised by class. Press Add Class.', () =>
        actor.press(button(actor, 'Add Class')),
      );
      await actor.say('Give it the name that your school uses.', () =>
        actor.type(dialog(actor).getByLabel('Name of the class'), 'Year 5 Otters'),
      );
      await actor.say('Add it.', () => actor.press(dialog(actor).getByRole('button', { name: 'Add class' })));
      await actor.say('Open the class to assign a teacher.', () => actor.press(link(actor, 'Year 5 Otters').first()));
      await actor.say('The teacher can change the class and its pupils, and assign books.', async () => {
        await actor.press(button(actor, /Assign (a )?teacher/i).first());
        await actor.choose(dialog(actor).getByLabel('Teacher'), /Kwabena/);
      });
      await actor.say('Confirm, and the class is ready for pupils.', () =>
        actor.press(dialog(actor).getByRole('button', { name: 'Assign teacher' })),
      );
      await actor.pause();
    },
  },
  'add-pupils': {
    path: '/pupils',
    features: ['pupil-import', 'login-cards'],
    play: async (actor) => {
      await actor.say('Press Add Pupils. All you need is names.', () => actor.press(link(actor, 'Add Pupils').first()));
      await actor.say('Paste a list from your spreadsheet, with the classes if you have them.', async () => {
        const box = actor.page.getByLabel('Or paste the cells');
        await actor.press(box);
        await box.fill('Name\tClass\nMaya Fenn\tYear 4 Kingfishers\nOscar Drew\tYear 4 Kingfishers');
      });
      await actor.say('Check the list.', () => actor.press(button(actor, 'Check the list')));
      await actor.say('Each row says whether the pupil is new. Nothing is saved yet.', () =>
        actor.point(actor.page.getByRole('row').filter({ hasText: 'Maya Fenn' })),
      );
      await actor.say('If all is well, add the pupils.', () => actor.press(button(actor, /^Add 2 pupils/)));
      await actor.say('Now download the logins: cards to cut out, and a list.', () =>
        actor.point(dialog(actor).getByRole('button', { name: 'Logins' })),
      );
      await actor.pause();
    },
  },
  'move-pupils': {
    path: '/classes/2',
    features: ['classes'],
    play: async (actor) => {
      await actor.say('Open the class that the pupils are in, and tick them.', async () => {
        const boxes = actor.page.getByRole('row').getByRole('checkbox');
        for (const index of [2, 4]) await actor.press(boxes.nth(index));
      });
      await actor.say('Press Change Class.', () => actor.press(button(actor, 'Change Class')));
      await actor.say('Choose the new class.', () => actor.choose(dialog(actor).getByLabel('New class'), /\w+ \d/));
      await actor.say('They get the new class’s books instead of the old class’s.', () =>
        actor.point(dialog(actor).getByText('What was read is kept.')),
      );
      await actor.say('Confirm. Their reading history goes with them.', () =>
        actor.press(dialog(actor).getByRole('button', { name: 'Change class' })),
      );
      await actor.say('Moved the wrong pupils? Press Undo.', () => actor.point(button(actor, 'Undo')));
      await actor.pause(1500);
    },
  },
  'choose-a-package': {
    path: '/subscription',
    features: ['billing'],
    play: async (actor) => {
      await actor.say('Administrators find the subscription in the menu.', () =>
        actor.point(link(actor, 'Subscription').first()),
      );
      await actor.say('Each package covers a number of pupils for a year.', () =>
        actor.point(actor.page.getByRole('heading', { level: 2 }).first()),
      );
      await actor.say('Your package is marked. The day it ends is shown above.', () =>
        actor.point(actor.page.getByText('Ends', { exact: true }).first()),
      );
      await actor.say('Choose a larger one, and you pay only for the rest of the year.', () => actor.pause(1500));
      await actor.say('Invoices are listed below, to download or pay.', () =>
        actor.point(actor.page.getByRole('heading', { name: /Invoices/ })),
      );
      await actor.say('Only administrators see this page.', () => actor.pause(1200));
      await actor.pause();
    },
  },
};
