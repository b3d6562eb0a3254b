export { ArchivedPupils } from './components/ArchivedPupils.tsx';
export { archiveQuery } from './pupils.api.ts';
