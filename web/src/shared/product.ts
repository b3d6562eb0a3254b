/** Settings that the server writes into the page, and gives to the drawing of pages. */
interface Settings {
  productName?: string;
  stage?: string;
  adminPanelUrl?: string;
  support?: { email: string; phone?: string };
  enquiryFormUrl?: string;
  staticFilesUrl?: string;
  version?: string;
  drawsPages?: boolean;
}

declare global {
  var __PORTAL__: Settings | undefined;
}

const settings = globalThis.__PORTAL__;

/** Name of the product on screens and in titles (`PRODUCT_NAME` of the server). */
export const PRODUCT_NAME = settings?.productName || 'Storylark';

/** Release stage (`STAGE` of the server). */
export const STAGE = settings?.stage || 'production';

/** The one page from which somebody may be logged in as another user (`ADMIN_PANEL_URL` of the server). */
export const ADMIN_PANEL_URL = settings?.adminPanelUrl || '/admin';

/** How schools reach the people who help them (`SUPPORT_EMAIL` and `SUPPORT_PHONE` of the server). */
export const SUPPORT = settings?.support;

/** A form for questions on another site, to be shown in a frame (`ENQUIRY_FORM_URL` of the server). */
export const ENQUIRY_FORM_URL = settings?.enquiryFormUrl;

/** Where templates, certificates and videos are, when not here (`STATIC_FILES_URL` of the server). */
export const STATIC_FILES_URL = settings?.staticFilesUrl;

/** Names the build that this page came from; undefined where nothing was built. */
export const VERSION = settings?.version;

/** The server draws each page for whoever is signed in: a page without a state is a guest's. False under `npm run dev`. */
export const DRAWS_PAGES = settings?.drawsPages ?? false;
