import { Page } from '../../parts/page.tsx';

export default function Home() {
  return <Page title="Home">{null}</Page>;
}
