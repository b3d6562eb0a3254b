import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSchoolId } from '../../../shared/session.ts';
import { type LibraryOwner, libraryQuery } from '../library.api.ts';
import { useLibraryState } from './library-state.ts';

/** The state of a library page and its first books. The previous answer stays while a filter loads the next one. */
export function useLibrary(owner: LibraryOwner) {
  const controls = useLibraryState();
  const firstPage = useQuery({
    ...libraryQuery(useSchoolId(), owner, controls.state, 1),
    placeholderData: keepPreviousData,
  });
  return { owner, controls, firstPage };
}
