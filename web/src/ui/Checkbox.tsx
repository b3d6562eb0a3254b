export { Checkbox, Radio, Switch } from '@mantine/core';
