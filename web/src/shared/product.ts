declare global {
  interface Window {
    /** Settings that the server writes into the page. */
    __PORTAL__?: { productName?: string; stage?: string; adminPanelUrl?: string };
  }
}

const settings = typeof window === 'undefined' ? undefined : window.__PORTAL__;

/** Name of the product on screens and in titles (`PRODUCT_NAME` of the server). */
export const PRODUCT_NAME = settings?.productName || 'Storylark';

/** Release stage (`STAGE` of the server). */
export const STAGE = settings?.stage || 'production';

/** The one page from which somebody may be logged in as another user (`ADMIN_PANEL_URL` of the server). */
export const ADMIN_PANEL_URL = settings?.adminPanelUrl || '/admin';

/** Names the build that this page came from; undefined where nothing was built. */
export const VERSION =
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content;
