import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LowestFifth } from '#contract/calls/lowest-fifth.ts';
import { formatYearGroup } from '#contract/year-group.ts';
import { paths } from '../../../paths.ts';
import { formatDate } from '../../../shared/format.ts';
import { useSearchParams } from '../../../shared/router.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { useSearchParamDraft } from '../../../shared/use-search-param-draft.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { DataTable, ROWS_BY_ID } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { NativeSelect } from '../../../ui/Field.tsx';
import { HelpText } from '../../../ui/HelpText.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { QueryForm } from '../../../ui/QueryForm.tsx';
import { useStaffName } from '../reading-needs/reading-needs.public.ts';
import { fifthColumns } from './components/FifthColumns.tsx';
import { lowestFifthQuery, yearInUrl } from './lowest-fifth.api.ts';
import { describeChoice } from './model/change-words.ts';
import css from './LowestFifthPage.module.css';

/** The pupils of a year group who read least well, what they get and what changed. For admins and reading leads. */
export default function LowestFifthPage() {
  const [query] = useSearchParams();
  const result = usePrefetchedQuery({
    ...lowestFifthQuery(useSchoolId(), yearInUrl(query)),
    placeholderData: keepPreviousData,
  });
  const list = result.data?.lowest_fifth;
  return (
    <>
      <PageHeader
        title="The lowest fifth of a year"
        lead={
          list
            ? `Pupils who read least well in the last six weeks, ${formatDate(list.from)} to ${formatDate(list.to)}: what each gets, and what changed since the six weeks before.`
            : undefined
        }
      />
      {result.error && !list && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {list &&
        (list.year_group === null ? (
          <div className="sheet">
            <EmptyState title="No year groups yet" action={<ButtonLink to={paths.pupils()}>Go to pupils</ButtonLink>}>
              Pupils get a year group from lists of pupils, school records and Update pupil name.
            </EmptyState>
          </div>
        ) : (
          <Fifth list={list} year={formatYearGroup(list.year_group)} isStale={result.isPlaceholderData} />
        ))}
    </>
  );
}

function Fifth({ list, year, isStale }: { list: LowestFifth; year: string; isStale: boolean }) {
  const { commit } = useSearchParamDraft('year');
  const nameOf = useStaffName();
  const columns = useMemo(() => fifthColumns(nameOf), [nameOf]);
  const { year_group: shown, year_groups: choices, without_year_group: without } = list;
  return (
    <>
      <div className={`row ${css.head}`}>
        <QueryForm sets={['year']} action="Show" className={css.year}>
          <NativeSelect
            label="Year group"
            name="year"
            value={shown ?? ''}
            onChange={(event) => commit(event.currentTarget.value)}
            data={[...new Set([...choices, ...(shown ? [shown] : [])])].map((code) => ({
              value: code,
              label: formatYearGroup(code),
            }))}
          />
        </QueryForm>
        <div className={css.summary}>
          <span>{describeChoice(list, list.readers.length)}</span>{' '}
          <HelpText about="the lowest fifth">
            The pupils of the year group in order of the level on their latest day of reading, lowest first, and then of
            their accuracy at that level. The list has a fifth of them, rounded up, and everyone who reads exactly as
            the last of them does. Pupils with fewer than 100 words at their level in six weeks cannot be placed.
          </HelpText>
        </div>
      </div>
      <DataTable
        label={`The lowest fifth of ${year}`}
        columns={columns}
        rows={list.readers}
        rowModel={ROWS_BY_ID}
        isStale={isStale}
        noun={['pupil', 'pupils']}
        empty={
          <EmptyState title={`No one in ${year} has read enough`}>
            A pupil is placed once they have read 100 words at their level in the last six weeks.
          </EmptyState>
        }
      />
      {without > 0 && (
        <p className="soft above-m">
          {without === 1 ? '1 pupil of the school has' : `${without} pupils of the school have`} no year group, and
          {without === 1 ? ' is' : ' are'} on no list.
        </p>
      )}
    </>
  );
}
