import { IconDeviceTablet } from '@tabler/icons-react';
import { paths } from '../../../paths.ts';
import { count, formatMoment } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ItemList } from '../../../ui/ItemList.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { formatClockDifference, wrongClocksText } from './model/clock-difference.ts';
import { tabletsQuery } from './tablets.api.ts';

/** The tablets with a wrong clock, and how to set it. */
export default function TabletsPage() {
  const result = usePrefetchedQuery(tabletsQuery(useSchoolId()));
  const { tablets, meta } = result.data ?? {};
  return (
    <>
      <PageHeader
        title="Tablets"
        crumbs={[{ text: 'School', to: paths.school() }]}
        lead="A tablet with a wrong clock gives reading the wrong time. We correct it as far as we can."
      />
      {!tablets && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {meta?.tablets_count === 0 && (
        <EmptyState title="No tablets yet">
          A tablet appears here when the reading app on it sends reading and states its time, and stays for 90 days
          after that.
        </EmptyState>
      )}
      {tablets?.length === 0 && meta !== undefined && meta.tablets_count > 0 && (
        <p>
          {meta.tablets_count === 1
            ? 'The one tablet that sent reading in the last 90 days has the right time.'
            : `All ${count(meta.tablets_count, 'tablet')} that sent reading in the last 90 days have the right time.`}
        </p>
      )}
      {tablets && tablets.length > 0 && (
        <>
          <h2>{wrongClocksText(tablets.length)}</h2>
          <ItemList
            items={tablets.map(({ clock_difference, last_seen_at, group: schoolClass }, index) => ({
              key: index,
              icon: <IconDeviceTablet size={22} aria-hidden />,
              name: formatClockDifference(clock_difference),
              note: `${schoolClass ? `Last used in ${schoolClass.name}` : 'Last used by a pupil without a class'}, last contact on ${formatMoment(last_seen_at)}`,
              action: null,
            }))}
          />
          <h2>Set the clock</h2>
          <ul>
            <li>On an iPad, open Settings, General, Date &amp; Time, and turn on Set Automatically.</li>
            <li>
              On an Android tablet, open Settings, System, Date &amp; time, and turn on the automatic date, time and
              time zone.
            </li>
          </ul>
          <p>A tablet leaves this list the next time it sends reading with the right time.</p>
        </>
      )}
    </>
  );
}
