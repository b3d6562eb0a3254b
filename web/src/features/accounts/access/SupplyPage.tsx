import type { User } from '#contract/calls/access.ts';
import { coverCalls } from '#contract/calls/covers.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../shared/api-client.ts';
import { homeFor } from '../../../shared/guard.ts';
import { isSupplyTeacher } from '../../../shared/supply-teacher.ts';
import type { GuestScreen } from '../../../shell/guest-screen.ts';
import { Button } from '../../../ui/Button.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { TextInput } from '../../../ui/Field.tsx';
import { FormActions, FormFoot } from '../../../ui/Form.tsx';
import { failureOf, GuestForm, guestForm, type GuestFormState } from '../../../ui/GuestForm.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { CookiesBlocked } from './components/ArrivalNotice.tsx';

/** A supply teacher logs in with the code of a card. The QR code on it opens this page with the code in the fragment. */
export const supplyScreen: GuestScreen = {
  access: 'open',
  load: ({ user, query }) => ({
    kind: 'page',
    content: user ? <AlreadyLoggedIn user={user} /> : <SupplyPage hasEnded={query.get('action') === 'cover-ended'} />,
  }),
  async post(_visit, sent) {
    try {
      const { user } = await call(coverCalls.logInWithCode, { body: { code: sent.get('code') ?? '' } });
      // An invitation that was opened on this device is not for the supply teacher.
      return { kind: 'redirect', to: homeFor(user), keep: { step: null, invite: null } };
    } catch (error) {
      return { kind: 'page', ...failureOf(error), content: <SupplyPage form={guestForm(sent, error)} /> };
    }
  },
};

interface Props {
  form?: GuestFormState;
  /** The visitor's cover has ended while they were logged in. */
  hasEnded?: boolean;
}

const SupplyPage = ({ form = guestForm(), hasEnded = false }: Props) => (
  <>
    <PageHeader title="Log in with a code" lead="For supply teachers with a card from the school." />
    <CookiesBlocked isKnown={false} />
    {hasEnded && (
      <Notice isOutcome kind="warning">
        Your cover has ended. If you still teach the class, ask the school for a new card.
      </Notice>
    )}
    <GuestForm form={form} action={paths.supply()}>
      <TextInput
        {...form.field('code')}
        label="Code"
        description={
          <>
            The twelve letters and digits on your card, such as <span className="nowrap">K7PM-3XQR-9DTW</span>.
          </>
        }
        inputMode="text"
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        data-code
        autoFocus
      />
      <Button type="submit">Log in</Button>
    </GuestForm>
    <p className="soft above-l flat">
      A code works once, on one device, on the day on which the card was made. Log in on the device that you will use
      all day.
    </p>
    <FormFoot>
      <Link to={paths.login()}>Log in with an email address</Link>
    </FormFoot>
  </>
);

/** Entering a code would log out the colleague who uses this device. */
const AlreadyLoggedIn = ({ user }: { user: User }) => (
  <>
    <PageHeader title="Log in with a code" />
    <Notice kind="warning">
      {user.full_name} is logged in on this device. To log in with a code, log out first and open this page again.
      {isSupplyTeacher(user) && ` ${user.full_name} then needs a new card to log in again.`}
    </Notice>
    <FormActions>
      <ButtonLink to={homeFor(user)}>{isSupplyTeacher(user) ? 'Go to the class' : 'Go to main page'}</ButtonLink>
      <form method="post" action={paths.logout()}>
        <Button type="submit" variant="default">
          Log out
        </Button>
      </form>
    </FormActions>
  </>
);
