import { Button } from '@mantine/core';
import { LogOutForm } from './LogOutForm.tsx';

/** Logs out; the second button beside what the page is for. */
export const LogOutButton = () => (
  <LogOutForm>
    <Button type="submit" variant="default">
      Log out
    </Button>
  </LogOutForm>
);
