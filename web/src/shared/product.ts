/** Settings that the server writes into the page and uses when it renders pages. */
interface Settings {
  productName?: string;
  stage?: string;
  adminPanelUrl?: string;
  support?: { email: string; phone?: string };
  enquiryFormUrl?: string;
  staticFilesUrl?: string;
  signInProviders?: { id: string; name: string }[];
  version?: string;
  release?: string;
  hasServerRendering?: boolean;
}

declare global {
  var __PORTAL__: Settings | undefined;
}

const settings = globalThis.__PORTAL__;

/** Name of the product on screens and in titles (`PRODUCT_NAME` of the server). */
export const PRODUCT_NAME = settings?.productName || 'Storylark';

/** Fills the product's name into a text of `content/`. */
export const fillIn = (text: string): string => text.replaceAll('{product}', PRODUCT_NAME);

/** Release stage (`STAGE` of the server). */
export const STAGE = settings?.stage || 'production';

/** The only page from which an operator can log in as another user (`ADMIN_PANEL_URL` of the server). */
export const ADMIN_PANEL_URL = settings?.adminPanelUrl || '/admin';

/** How schools contact support (`SUPPORT_EMAIL` and `SUPPORT_PHONE` of the server). */
export const SUPPORT = settings?.support;

/** A contact form on another site, shown in a frame (`ENQUIRY_FORM_URL` of the server). */
export const ENQUIRY_FORM_URL = settings?.enquiryFormUrl;

/** URL of a file that is hosted outside the portal (`STATIC_FILES_URL` of the server); undefined without such hosting. */
export const staticFile = (path: string): string | undefined =>
  settings?.staticFilesUrl && `${settings.staticFilesUrl}/${path}`;

/** The services with which users can sign in, in the order of their buttons. */
export const SIGN_IN_PROVIDERS: readonly { id: string; name: string }[] = settings?.signInProviders ?? [];

/** The hash of the page's build; undefined without a build. */
export const VERSION = settings?.version;

/** The release, as the changelog names it; undefined under `npm run dev`. */
export const RELEASE = settings?.release;

/** Whether the server renders users' pages: a page without a state is then a guest's. False under `npm run dev`. */
export const HAS_SERVER_RENDERING = settings?.hasServerRendering ?? false;
