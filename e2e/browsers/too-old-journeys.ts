import { PASSWORD, people } from '../portal.ts';
import type { Journey } from './journeys.ts';

/** In a browser below the floor, in order. Its pages are those without the app, whose forms the browser sends. */
export const tooOldJourneys: Journey[] = [
  [
    'log in by the form and read that the browser is too old',
    async ({ page }) => {
      await page.goto('/pupils');
      await page.see('text', /^This browser is too old for this portal/);
      await page.takePicture('login');
      await page.fill('label', 'Email', people.admin);
      await page.fill('label', 'Password', PASSWORD);
      await page.click('button', 'Log in');
      await page.see('heading', 'Pupils');
      await page.see('text', /^This browser is too old for this portal/);
      await page.see('text', /^1 to 50 of \d+ pupils$/);
      await page.takePicture('pupils');
    },
  ],
  [
    'log out by the form',
    async ({ page }) => {
      await page.click('button', 'Log out');
      await page.see('button', 'Log in');
      await page.goto('/pupils');
      await page.at(/^\/login/);
      await page.see('button', 'Log in');
    },
  ],
];
