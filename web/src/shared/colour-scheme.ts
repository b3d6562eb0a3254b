/** Writes down which scheme this browser prefers, so that the server draws a page in it: pages without script have no other way to know. */
export function keepScheme(scheme: 'light' | 'dark'): void {
  if (document.cookie.split('; ').includes(`scheme=${scheme}`)) return;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `scheme=${scheme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
}
