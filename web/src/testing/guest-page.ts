import { within } from '@testing-library/react';
import { Window } from 'happy-dom';
import type { GuestDocument, GuestPage, KeptValues, PageCall, RenderedPage } from '#contract/pages.ts';
import { renderGuestPage, renderPage, submitForm } from '../entry-server.tsx';

const NOW = Date.parse('2026-11-18T12:00:00Z');

/** The replies of the API by method and path: `'POST /v1/auth': () => ({ user })`. With `status` it is an error. */
type Replies = Record<string, (body: unknown) => object>;

/** What a test may give beside the address. */
interface Given {
  kept?: KeptValues;
  replies?: Replies;
}

/** The API as the page's calls reach it; a call without a reply is not authenticated. `sent`: the bodies by call. */
function makeApi(replies: Replies) {
  const sent: Record<string, unknown[]> = {};
  const fetch = async (address: string, change?: PageCall) => {
    const call = `${change?.method ?? 'GET'} ${address}`;
    (sent[call] ??= []).push(change?.body);
    const reply = replies[call]?.(change?.body) ?? { status: 401, error: 'Unauthorised', error_type: 'authentication' };
    const { status = 200, ...body } = reply as { status?: number };
    return Response.json(body, { status });
  };
  return { sent, fetch };
}

/** A page as a guest sees it, or where it leads. */
function read(reply: GuestDocument) {
  if (reply.kind === 'unavailable') throw new Error('The page is not available.');
  if (reply.kind === 'redirect') return { to: reply.to, keep: reply.keep };
  const { document } = new Window();
  document.body.innerHTML = reply.html;
  // What the script of guest pages shows when it cannot reach the server.
  for (const template of document.querySelectorAll('template')) template.remove();
  const main = document.querySelector('main') as unknown as HTMLElement;
  const field = (name: string) => main.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  return {
    ...reply,
    main,
    ...within(main),
    text: main.textContent,
    problems: [...main.querySelectorAll('form > [role="alert"] li')].map(({ textContent }) => textContent),
    labels: [...main.querySelectorAll('label')].map(({ textContent }) => textContent),
    field,
    valueOf: (name: string) => field(name)?.getAttribute('value') ?? undefined,
    link: (name: string) => within(main).getByRole('link', { name }).getAttribute('href'),
  };
}

function pageOf(reply: GuestDocument) {
  const page = read(reply);
  if ('to' in page) throw new Error(`The page leads to ${page.to}.`);
  return page;
}

const request = (url: string, { kept = {}, replies = {} }: Given) => {
  const { sent, fetch } = makeApi(replies);
  return { sent, request: { url, cookies: '', fetch, now: NOW, kept } };
};

/** Opens a page without the app as a guest. */
export async function openGuestPage(url: string, given: Given = {}) {
  const reply = await renderGuestPage(request(url, given).request);
  if (reply.kind === 'page') throw new Error(`${url} needs the app.`);
  return pageOf(reply);
}

/** The answer is a page, or `to`: where the visitor goes next. */
function answerOf(reply: GuestPage | RenderedPage, sent: Record<string, unknown[]>) {
  if (reply.kind === 'page' || reply.kind === 'guest') throw new Error('The page needs the app.');
  return {
    sent,
    reply,
    page: reply.kind === 'document' ? pageOf(reply) : undefined,
    to: reply.kind === 'redirect' ? reply.to : undefined,
  };
}

/** Opens a page without the app as the user in the reply of `GET /v1/users/me`, or as a guest. */
export async function visitGuestPage(url: string, given: Given = {}) {
  const { sent, request: opened } = request(url, given);
  const reply = await renderPage(opened);
  return answerOf(reply.kind === 'guest' ? await renderGuestPage(opened) : reply, sent);
}

/** Sends a form. */
export async function submitGuestForm(url: string, fields: Record<string, string>, given: Given = {}) {
  const { sent, request: posted } = request(url, given);
  return answerOf(await submitForm(posted, new URLSearchParams(fields).toString()), sent);
}
