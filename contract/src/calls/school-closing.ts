import { defineCalls } from '../call.ts';
import { ids } from '../fields.ts';

/** The days until a school closes that no other admin confirmed. */
export const DAYS_TO_CLOSE = 7;
/** The days after which a closed school is erased. */
export const DAYS_TO_ERASE = 30;

export const schoolClosingCalls = defineCalls({
  requestClosing: {
    method: 'POST',
    path: '/enterprises/{id}/closing',
    tag: 'Data and privacy',
    summary: 'Ask to close the school',
    description:
      'The school closes when another admin confirms it, or after 7 days. Until then any admin can withdraw the request. All admins get an email.',
    permission: 'edit_school',
    ownerOnly: true,
    needsProof: true,
    area: 'records',
    params: ids('id'),
    errors: ['closing_requested'],
  },

  confirmClosing: {
    method: 'POST',
    path: '/enterprises/{id}/closing/confirm',
    tag: 'Data and privacy',
    summary: 'Confirm that the school closes now',
    description:
      'By another admin than the one who asked. For 30 days staff can log in, read and export, and any admin can reopen the school; pupils cannot log in. Then it is erased. Invoices stay as long as the law asks.',
    permission: 'edit_school',
    ownerOnly: true,
    needsProof: true,
    area: 'records',
    params: ids('id'),
    errors: ['closing_not_requested', 'closing_needs_another_admin'],
  },

  cancelClosing: {
    method: 'DELETE',
    path: '/enterprises/{id}/closing',
    tag: 'Data and privacy',
    summary: 'Withdraw the request to close the school, or reopen a closed one',
    description: 'By any admin, until the erasure begins. Everything is as it was, and pupils log in again.',
    permission: 'edit_school',
    ownerOnly: true,
    whileClosed: true,
    area: 'records',
    params: ids('id'),
    errors: ['closing_not_requested'],
  },
});
