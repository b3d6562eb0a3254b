/**
 * `npm run guides`: takes the pictures and records the videos of the help in the demonstration school: by default those
 * whose screens have changed, otherwise the named ones. `--check` only lists them.
 * The web app must be built. Needs Chromium (CHROMIUM_PATH) with its languages (Debian's chromium-l10n), and ffmpeg.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { PICTURES, VIDEOS } from '#content/help/read-help.ts';
import { expectLoaded, fillLogin, people } from '../e2e/portal.ts';
import { prepareData, startPortal } from '../e2e/server.ts';
import { Actor, showPointer } from './actor.ts';
import { all, keep, listStale } from './made-from.ts';
import { shots } from './pictures.ts';
import { makePicture, startScreencast } from './screencast.ts';
import { scenes } from './videos.ts';

const requested = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = requested.filter((name) => !(name in all));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Choose from ${Object.keys(all).join(', ')}.`);
const names = requested.length > 0 ? requested : listStale();

async function openPage(browser: Browser, url: string, size: { width: number; height: number }, dots: number) {
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: dots,
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await fillLogin(page, people.admin, url);
  return page;
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expectLoaded(page);
  await page.waitForLoadState('networkidle');
  if (await page.getByRole('heading', { name: 'Not here yet' }).isVisible())
    throw new Error('The screen is not built yet.');
}

async function takePicture(browser: Browser, url: string, name: string): Promise<void> {
  const { path, prepare } = shots[name]!;
  const page = await openPage(browser, url, { width: 1180, height: 740 }, 2);
  const folder = await mkdtemp(join(tmpdir(), 'guides-'));
  try {
    await open(page, url + path);
    await prepare?.(page);
    await page.waitForTimeout(800);
    const raw = join(folder, name);
    await page.screenshot({ path: raw });
    await makePicture(raw, join(PICTURES, name), 1500);
  } finally {
    await page.context().close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each in its own school, because one changes what another shows. */
async function recordVideo(browser: Browser, name: string): Promise<void> {
  const { path, play } = scenes[name]!;
  const portal = await startPortal();
  try {
    const page = await openPage(browser, portal.url, { width: 1280, height: 800 }, 1);
    await showPointer(page);
    await open(page, portal.url + path);
    const screencast = await startScreencast(page);
    const actor = new Actor(page, screencast.now);
    await play(actor);
    await screencast.stop(join(VIDEOS, name), actor.cues, screencast.now() / 2);
    await page.context().close();
  } finally {
    await portal.stop();
  }
}

if (process.argv.includes('--check'))
  console.log(names.length ? `Out of date: ${names.join(', ')}` : 'All are of now.');
else if (names.length > 0) {
  const cleanUp = await prepareData();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--lang=en-GB'],
    // Date fields use the browser's language, not the page's.
    env: { ...process.env, LANGUAGE: 'en_GB' },
  });
  const portal = await startPortal();
  for (const name of names)
    try {
      if (name in shots) await takePicture(browser, portal.url, name);
      else await recordVideo(browser, name);
      keep(name);
      console.log(`made ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  await portal.stop();
  await browser.close();
  await cleanUp();
}
