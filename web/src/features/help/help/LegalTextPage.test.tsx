import { expect, it } from 'vitest';
import { visitGuestPage } from '../../../testing/guest-page.ts';
import { makeUser } from '../../../testing/make-school.ts';

it.each([
  ['/licence', 'Licence agreement'],
  ['/terms', 'Terms and conditions'],
  ['/privacy', 'Privacy policy'],
  ['/accessibility', 'Accessibility'],
])('%s shows the text “%s” with its date and its contents, to guests and to signed-in users', async (path, title) => {
  const me = { 'GET /v1/users/me': () => ({ user: makeUser() }) };
  for (const replies of [{}, me]) {
    const { page } = await visitGuestPage(path, { replies });
    expect(page!.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(page!.getByText(/^Version of \d+ \w+ \d{4}$/)).toBeTruthy();
    const links = [...page!.main.querySelectorAll('nav a')].map((link) => link.getAttribute('href')!);
    expect(links.length).toBeGreaterThan(2);
    expect(links).toEqual([...page!.main.querySelectorAll('h2:not(#contents)')].map(({ id }) => `#${id}`));
  }
});
