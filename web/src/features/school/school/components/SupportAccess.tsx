import { Button } from '../../../../ui/Button.tsx';
import { useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';
import { formatTime } from '../../../../shared/format.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Card } from '../../../../ui/Card.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { supportAccessQuery, useSetSupportAccess } from '../school-details.api.ts';
import { WhileOpen } from './WhileOpen.tsx';
import css from './SchoolSettings.module.css';

/** Whether support may see data about pupils, with buttons to allow it and to end it. For admins. */
export function SupportAccess() {
  const id = useSchoolId();
  const isSupport = Boolean(useUser().impersonated_by);
  const result = usePrefetchedQuery(supportAccessQuery(id));
  const set = useSetSupportAccess(id);
  const [isAsking, setAsking] = useState(false);
  const access = result.data?.support_access;
  return (
    <Card className={css.box} aria-labelledby="support-access">
      <h2 id="support-access">Access for support</h2>
      <p>
        {access?.allowed_until
          ? `Support can see data about pupils until ${formatTime(access.allowed_until)}${access.allowed_by ? `, allowed by ${access.allowed_by.name}` : ''}. “End now” also logs support out.`
          : 'When you ask us for help, support can log in to see your settings and billing. You can let them see data about pupils too, for an hour.'}{' '}
        <Link to={paths.changes({ actor_id: 'support' })}>See what support has done</Link>
      </p>
      {set.error && <ErrorNotice error={set.error} />}
      {result.error && !access && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {isSupport && <p>Only an admin of the school can change this.</p>}
      <WhileOpen>
        {!isSupport && access && !access.allowed_until && (
          <Button variant="default" onClick={() => setAsking(true)}>
            Allow for an hour
          </Button>
        )}
        {!isSupport && access?.allowed_until && (
          <Button variant="default" loading={set.isPending} onClick={() => set.mutate(false)}>
            End now
          </Button>
        )}
      </WhileOpen>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Let support see data about pupils?"
        action="Allow for an hour"
        onConfirm={async () => {
          await set.mutateAsync(true);
          showToast('Support can see data about pupils for an hour');
        }}
      >
        <p>
          For an hour, or until you end it, support can see and change what you can: pupils, classes, books and reading.
          Support can never erase pupils, download data, invite people or change roles. Everything is listed in Changes.
        </p>
      </Confirm>
    </Card>
  );
}
