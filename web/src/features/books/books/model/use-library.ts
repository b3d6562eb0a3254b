import { keepPreviousData } from '@tanstack/react-query';
import { useSchoolId } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { type LibraryOwner, libraryQuery } from '../library.api.ts';
import { useLibraryState } from './library-state.ts';

/** The state of a library page and its first books. The previous books stay while a filter loads the next ones. */
export function useLibrary(owner: LibraryOwner) {
  const controls = useLibraryState();
  const firstPage = usePrefetchedQuery({
    ...libraryQuery(useSchoolId(), owner, controls.state, 1),
    placeholderData: keepPreviousData,
  });
  return { owner, controls, firstPage };
}
