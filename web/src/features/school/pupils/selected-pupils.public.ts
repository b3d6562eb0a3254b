export { SelectedPupils } from './components/SelectedPupils.tsx';
