import type { Response } from '@playwright/test';
import { expect, expectLoaded, people, test } from './portal.ts';

test('the web app is served compressed, its hashed files are immutable, and no screen violates its content security policy', async ({
  page,
  logIn,
  portal,
}) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const scripts = new Map<string, Response>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response);
  });

  const opened = await page.goto('/login');
  const headers = await opened!.allHeaders();
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-encoding']).toBe('br');
  const policy = headers['content-security-policy'] ?? '';
  const ofScripts = policy.split(';').find((directive) => directive.startsWith('script-src ')) ?? '';
  expect(ofScripts).toContain("'self'");
  expect(ofScripts).not.toContain('unsafe');

  await logIn(people.admin);
  await expect(page.getByRole('heading', { level: 1, name: /Dashboard/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Reading time by pupil' })).toBeVisible();
  await expectLoaded(page);

  expect(scripts.size).toBeGreaterThan(2);
  for (const [url, script] of scripts) {
    expect(url).toContain(`${portal.url}/assets/`);
    const sent = await script.allHeaders();
    expect(sent['cache-control'], url).toBe('public, max-age=31536000, immutable');
    // Compression would enlarge the smallest files.
    // Requested again, because the browser discards the bodies of the previous document.
    const { length } = await (await page.request.get(url)).body();
    if (length >= 1024) expect(sent['content-encoding'], url).toBe('br');
  }
  expect(complaints).toEqual([]);
});

test('an injected inline script does not run', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  const violation = page.waitForEvent('console', (message) => /Content Security Policy/.test(message.text()));
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    document.body.append(script);
  });
  await violation;
  await expect(page).not.toHaveTitle('taken over');
});

test('a missing asset returns 404, any other URL returns the page', async ({ request }) => {
  for (const path of ['/assets/index-00000000.js', '/assets/', '/content/none.png', '/v1/none']) {
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(404);
    expect(answer.headers()['content-type'], path).not.toContain('text/html');
  }
  const page = await request.get('/pupils/1');
  expect(page.status()).toBe(200);
  expect(page.headers()).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' });
});
