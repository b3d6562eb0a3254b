export { ArchivedPupils } from '../archive/components/ArchivedPupils.tsx';
export { archiveQuery } from './pupils.api.ts';
