import type { Page } from '@playwright/test';

interface Shot {
  path: string;
  /** The folders of the screens shown. */
  features: string[];
  /** Steps before taking the picture. */
  prepare?: (page: Page) => Promise<unknown>;
}

const tickPupils = async (page: Page) => {
  const boxes = page.getByRole('row').getByRole('checkbox');
  for (const index of [1, 2, 4]) await boxes.nth(index).check();
};

/** The guide's pictures by file name, taken in the demonstration school. */
export const shots: Record<string, Shot> = {
  'school.png': { path: '/school', features: ['school'] },
  'teachers.png': { path: '/teachers', features: ['teachers'] },
  'classes.png': { path: '/classes', features: ['classes'] },
  'add-pupils.png': {
    path: '/school/add-readers',
    features: ['pupil-import'],
    prepare: async (page) => {
      const boxes = page.getByRole('textbox', { name: /pupil 1|Name of pupil|Pupil 1/i });
      if ((await boxes.count()) > 0) await boxes.first().fill('Maya Fenn');
    },
  },
  'dashboard.png': { path: '/?class=2', features: ['dashboard'] },
  'pupil.png': { path: '/pupils/29', features: ['pupils', 'reading'] },
  'class.png': { path: '/classes/2', features: ['classes'], prepare: tickPupils },
  'reset.png': {
    path: '/classes/2',
    features: ['classes', 'login-cards'],
    prepare: async (page) => {
      await tickPupils(page);
      await page.getByRole('button', { name: 'Reset Passwords' }).click();
    },
  },
  'certificate.png': {
    path: '/pupils/29',
    features: ['pupils', 'help'],
    prepare: (page) => page.getByRole('button', { name: 'Certificate' }).click(),
  },
};
