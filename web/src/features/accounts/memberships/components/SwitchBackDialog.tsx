import { useSession } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { switchSchool } from '../model/return-to-school.ts';

interface Props {
  /** @param isBack false when the user closed the dialog */
  onEnd: (isBack: boolean) => void;
}

/** Offers to switch back to the school of the page, because the user has switched to another since it was opened. */
export function SwitchBackDialog({ onEnd }: Props) {
  const school = useSession()?.user.enterprise;
  if (!school) return null;
  return (
    <Confirm
      isOpen
      onClose={() => onEnd(false)}
      title="You have switched to another school"
      action={`Switch back to ${school.name}`}
      onConfirm={async () => {
        await switchSchool(school.id);
        onEnd(true);
      }}
    >
      <p>
        This page is for {school.name}, so nothing has been saved. Everything on it is still here. Switch back to save
        it there.
      </p>
    </Confirm>
  );
}
