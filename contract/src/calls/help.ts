import { defineCalls } from '../call.ts';

export const helpCalls = defineCalls({
  getUserGuide: {
    method: 'GET',
    path: '/user-guide.pdf',
    tag: 'Help',
    summary: 'The user guide as a PDF',
    permission: 'open',
    noProof: 'Public.',
    noViews: 'Public.',
    files: ['application/pdf'],
  },
});
