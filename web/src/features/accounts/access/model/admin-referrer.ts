import { ADMIN_PANEL_URL } from '../../../../shared/product.ts';

/**
 * Whether the page was opened from the admin panel. If the panel is on another host, browsers send only the host as
 * the referrer.
 */
export function isFromAdminPanel(referrer: string, here: string, panelUrl = ADMIN_PANEL_URL): boolean {
  const from = parse(referrer);
  const panel = parse(panelUrl, here);
  if (!from || !panel || from.origin !== panel.origin) return false;
  const folder = panel.pathname.replace(/\/$/, '');
  const isIn = from.pathname === folder || from.pathname.startsWith(`${folder}/`);
  return isIn || (panel.origin !== new URL(here).origin && from.pathname === '/');
}

function parse(address: string, base?: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}
