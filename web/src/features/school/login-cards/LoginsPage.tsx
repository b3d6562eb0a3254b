import { useParams } from '../../../shared/router.ts';
import type { LoginLinks } from '#contract/calls/pupil-import.ts';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { paths } from '../../../paths.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { count } from '../../../shared/format.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { useIsTeachingOpen } from '../school/school.public.ts';
import { LoginDownloads } from './components/LoginDownloads.tsx';
import { CardSheet } from './components/CardSheet.tsx';
import { followedResetQuery, isResetId, type LoginSource, useNewLoginCards } from './login-cards.api.ts';
import css from './components/CardSheet.module.css';

/** New logins for the user who made them, opened by the email about a reset or after the link to a file. */
export default function LoginsPage() {
  const { id = '' } = useParams();
  return isResetId(id) ? <LoginsOfReset resetId={id} /> : <LoginsOfLink token={id} />;
}

function LoginsOfReset({ resetId }: { resetId: string }) {
  const result = usePrefetchedQuery(followedResetQuery(useSchoolId(), resetId));
  const reset = result.data?.reset;
  return (
    <>
      <LoginsHeader
        lead={
          reset &&
          (reset.total === 1
            ? 'For the pupil whose password was reset.'
            : `For the ${count(reset.total, 'pupil')} whose passwords were reset.`)
        }
      />
      {isMissing(result.error) ? (
        <NotYours />
      ) : !reset ? (
        <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />
      ) : reset.status === 'loading' ? (
        <Notice>We are making the new logins. They will appear here when they are ready.</Notice>
      ) : reset.status === 'none' ? (
        <Notice kind="error">We could not make the new passwords. The old ones still work. Please try again.</Notice>
      ) : reset.links ? (
        <Logins source={{ resetId }} links={reset.links} pupilCount={reset.total} />
      ) : (
        <Notice kind="warning">
          These logins were available for 24 hours. If the cards are lost, reset the passwords again.
        </Notice>
      )}
    </>
  );
}

function LoginsOfLink({ token }: { token: string }) {
  const { data, error, refetch } = useNewLoginCards(useSchoolId(), { token });
  return (
    <>
      <LoginsHeader />
      {data ? (
        <Logins source={{ token }} links={linksOf(token)} pupilCount={data.logins.length} />
      ) : isMissing(error) ? (
        <NotYours />
      ) : error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function LoginsHeader({ lead }: { lead?: string | undefined }) {
  const isTeachingOpen = useIsTeachingOpen();
  return (
    <PageHeader
      title="New logins"
      crumbs={[
        isTeachingOpen ? { text: 'Pupils', to: paths.pupils() } : { text: 'Pupils’ logins', to: paths.pupilLogins() },
      ]}
      lead={lead}
    />
  );
}

const NotYours = () => (
  <Notice kind="warning">
    You cannot see these logins. Only the person who made them can, for 24 hours. If that was you, check that you are
    logged in to the same account. Otherwise reset the passwords again.
  </Notice>
);

function Logins({ source, links, pupilCount }: { source: LoginSource; links: LoginLinks; pupilCount: number }) {
  const areCardsShown = pupilCount <= CARDS_AT_ONCE;
  return (
    <div className={css.page}>
      {areCardsShown && <CardSheet source={source} />}
      <section aria-labelledby="files">
        <h2 id="files">Files</h2>
        <LoginDownloads links={links} isAside={areCardsShown} />
      </section>
    </div>
  );
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && [404, 422].includes(error.status);

const linksOf = (token: string): LoginLinks => ({
  logins: `/v1/files/${token}.pdf`,
  spreadsheet: `/v1/files/${token}.xlsx`,
});
