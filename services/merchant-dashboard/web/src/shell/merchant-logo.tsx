import { useQuery } from '@tanstack/react-query';
import { brandingQuery, logoAddress } from './branding.ts';
import { useMode } from './mode.ts';
import { useMember } from './session.ts';

/** The merchant's logo in the header, as payers of this mode see it; nothing while there is none. */
export function MerchantLogo() {
  const member = useMember();
  const mode = useMode();
  // The backend refuses everything else until there is a second factor.
  const mayRead = member?.must_add_second_factor === false;
  const { data } = useQuery({ ...brandingQuery(mode), enabled: mayRead });
  const file = data?.logo ?? null;
  if (file === null) return null;
  return <img className="logo-plate logo-plate-small" src={logoAddress(file)} alt={member?.merchant_name} />;
}
