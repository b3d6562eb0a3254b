import { useSearchParamDraft } from '../shared/use-search-param-draft.ts';
import { QueryForm } from './QueryForm.tsx';
import { SearchBox } from './SearchBox.tsx';

const DEBOUNCE_MS = 500;

/** The search of a table. What is typed stays in here until it reaches the URL: the page does not render for each letter. */
export function TableSearch({ label }: { label: string }) {
  const { draft, setDraft, commit } = useSearchParamDraft('search', DEBOUNCE_MS);
  return (
    <QueryForm sets={['search']} action="Search" onSubmit={() => commit()}>
      <SearchBox label={label} name="search" value={draft} onChange={setDraft} />
    </QueryForm>
  );
}
