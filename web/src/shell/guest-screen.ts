import type { ReactNode } from 'react';
import type { User } from '#contract/calls/access.ts';
import type { GuestDocument, KeptValues } from '#contract/pages.ts';
import type { ScreenAccess } from '../shared/guard.ts';

/** A request for a guest page. */
export interface GuestVisit {
  /** Path and query. */
  url: string;
  params: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** The signed-in user, who may open the pages with the access `open`. */
  user: User | null;
  kept: KeptValues;
}

/** A page, or where the visitor goes instead. `status` is 200 when absent. */
export type GuestReply =
  | Extract<GuestDocument, { kind: 'redirect' }>
  | (Pick<Extract<GuestDocument, { kind: 'document' }>, 'keep' | 'retryAfter' | 'leavesTo'> & {
      kind: 'page';
      content: ReactNode;
      status?: number;
    });

/**
 * A page that the server alone renders: it loads no app, and its forms are sent to its own address. `call` of the API
 * works in `load` and `post`.
 */
export interface GuestScreen extends Pick<ScreenAccess, 'access'> {
  /** For search engines. Only for the pages that `public/robots.txt` allows. */
  description?: string;
  /** Where a page with the access `guest` leads a signed-in user; the dashboard when absent. */
  whenSignedIn?(user: User, visit: GuestVisit): string;
  load(visit: GuestVisit): GuestReply | Promise<GuestReply>;
  /** Sends the page's form. */
  post?(visit: GuestVisit, form: URLSearchParams): Promise<GuestReply>;
}
