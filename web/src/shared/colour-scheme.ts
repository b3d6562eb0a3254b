/** Stores the preferred colour scheme in a cookie, because the server cannot know it otherwise. */
export function storeScheme(scheme: 'light' | 'dark'): void {
  if (document.cookie.split('; ').includes(`scheme=${scheme}`)) return;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `scheme=${scheme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
