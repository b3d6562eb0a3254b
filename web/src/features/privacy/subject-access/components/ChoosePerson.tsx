import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type DataSubject, MAX_DATA_SUBJECTS } from '#contract/calls/subject-requests.ts';
import type { RequestKind } from '#contract/rights.ts';
import { paths } from '../../../../paths.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { useSearchParamDraft } from '../../../../shared/use-search-param-draft.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { QueryForm } from '../../../../ui/QueryForm.tsx';
import { SearchBox } from '../../../../ui/SearchBox.tsx';
import { useAnnouncement } from '../../../../ui/use-announcement.ts';
import { subjectsQuery } from '../subject-access.api.ts';

const DEBOUNCE_MS = 300;

/** A search for the person whom a new request is about. */
export function ChoosePerson({ search, kind }: { search: string; kind: RequestKind | undefined }) {
  const { draft, setDraft, commit } = useSearchParamDraft('search', DEBOUNCE_MS);
  return (
    <>
      <div className="narrow below-xl" role="search">
        <QueryForm sets={['search']} action="Search" onSubmit={() => commit()}>
          <SearchBox label="Whose data is it?" name="search" value={draft} placeholder="Name" onChange={setDraft} />
        </QueryForm>
      </div>
      {search === '' ? (
        <p>Type the name of a pupil or a member of staff, current or former.</p>
      ) : (
        <People search={search} kind={kind} />
      )}
    </>
  );
}

/** Where a person is in the school: “Pupil, 3 Badgers”. */
function positionOf({ kind, is_former: isFormer, group: schoolClass }: DataSubject): string {
  if (kind === 'staff') return isFormer ? 'Former staff' : 'Staff';
  if (isFormer) return 'Former pupil';
  return schoolClass === null ? 'Pupil' : `Pupil, ${schoolClass}`;
}

function People({ search, kind }: { search: string; kind: RequestKind | undefined }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...subjectsQuery(useSchoolId(), { search }),
    placeholderData: keepPreviousData,
  });
  const people = data?.people ?? [];
  const found = people.length === 0 ? 'No one found' : count(people.length, 'person found', 'people found');
  useAnnouncement(data !== undefined && !isPlaceholderData && found, search);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (people.length === 0) return <p>No one in your school, now or before, has a name with “{search}”.</p>;
  return (
    <>
      <ul aria-label="People found">
        {people.map((person) => (
          <li key={`${person.kind}-${person.id}`}>
            <Link to={paths.newSubjectRequest({ [person.kind]: person.id, ...(kind && { kind }) })}>{person.name}</Link>{' '}
            <span className="soft">{positionOf(person)}</span>
          </li>
        ))}
      </ul>
      {people.length === MAX_DATA_SUBJECTS && (
        <p className="soft">These are the first {MAX_DATA_SUBJECTS} by name. Type more of the name to see others.</p>
      )}
    </>
  );
}
