import { fillCodes } from './shell/guest-code.ts';
import { improveFields } from './shell/guest-fields.ts';
import { hidePasskeys, listenForPasskeys } from './shell/guest-passkeys.ts';
import { sendForms } from './shell/send-forms.ts';
import { noteSessionEnd } from './shared/note-session-end.ts';
import { canKeepCookies } from './shared/preferences.ts';
import { readSession, SESSION_KEY } from './shared/session-storage.ts';
import { announceOutcomes, showAnnouncements } from './shell/guest-announcements.ts';

/* The script of the pages without the app, which also work without it. */

if (document.documentElement.dataset.document === 'guest') {
  const ended = noteSessionEnd();
  // A supply teacher who opens a page of the portal again has no password to log in with.
  if (ended?.role === 'supply_teacher' && location.pathname === '/login' && location.search.startsWith('?redirect='))
    location.replace('/supply?action=cover-ended');
  // A user has logged in in another tab, perhaps not the one who has left this page.
  addEventListener('storage', ({ key }) => {
    if (key === SESSION_KEY && readSession()) location.replace('/');
  });
}
// A browser that is too old shows them as they work without it.
if (!window.isTooOld) {
  listenForPasskeys();
  showAnnouncements();
  sendForms(() => {
    hidePasskeys();
    announceOutcomes();
    if (!canKeepCookies()) document.querySelector('[data-cookies-blocked]')?.removeAttribute('hidden');
  });
  improveFields();
  fillCodes();
}
