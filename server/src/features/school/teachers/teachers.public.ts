export { acceptInvite, getInvitation } from './invite-links.service.ts';
export { leaveSchool, removeTeacher } from './teachers.service.ts';
export { updateStaffRole } from './teachers.queries.ts';
export { insertInvite, listTakenEmails } from './invites.queries.ts';
export { inviteTeachers } from './invites.service.ts';
