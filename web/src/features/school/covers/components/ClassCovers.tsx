import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Cover } from '#contract/calls/covers.ts';
import { currentTime } from '../../../../shared/page-scope.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { coversQuery } from '../covers.api.ts';
import { CoverLine } from './CoverLine.tsx';
import { EndCover } from './EndCover.tsx';

/** Who covers a class now, for those who can change it. */
export function ClassCovers({ classId }: { classId: number }) {
  const { data, error, refetch } = useQuery(coversQuery(useSchoolId()));
  const [coverToEnd, setCoverToEnd] = useState<Cover | null>(null);
  const covers = data?.covers.filter(
    ({ group, ends_at }) => group.id === classId && Date.parse(ends_at) > currentTime(),
  );
  return (
    <>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {covers && covers.length > 0 && (
        <section aria-label="Cover" className="below-l">
          <ul className="plain stack-m">
            {covers.map((cover) => (
              <CoverLine key={cover.id} cover={cover} onEnd={() => setCoverToEnd(cover)} />
            ))}
          </ul>
        </section>
      )}
      <EndCover cover={coverToEnd} onClose={() => setCoverToEnd(null)} />
    </>
  );
}
