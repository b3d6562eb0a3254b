import type { Locator, Page } from '@playwright/test';
import { expect, expectListening, type Fixtures } from './portal.ts';
import { buildSchool, type School, type SchoolPlan } from './school.ts';
import type { Portal } from './server.ts';

/** The path of the calls that list and add pupils. */
export const LIST = /\/readers$/;

export const pupilLink = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'Pupils' }).getByRole('link', { name, exact: true });

/** Opens the list of pupils, so that the browser has it. */
export async function openPupils(page: Page): Promise<void> {
  await page.goto('/pupils');
  await expectListening(page);
  await expect(page.getByRole('table', { name: 'Pupils' })).toBeVisible();
}

/** Builds a school and opens the list of its pupils as its admin. */
export async function openNewSchool(
  { logIn, portal }: Pick<Fixtures, 'logIn'> & { portal: Portal },
  plan: SchoolPlan,
): Promise<{ page: Page; school: School }> {
  const school = await buildSchool(portal, plan);
  const page = await logIn(school.admin, '/account');
  await openPupils(page);
  return { page, school };
}
