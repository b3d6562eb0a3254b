export { takeSessions } from './reading-app.service.ts';
