import type { GroupPicture } from '../domain/picture.ts';

/** Returns a picture as browsers get it, with the server's time. */
export const toPictureBody = <P extends GroupPicture>(picture: P): P & { readonly server_time: string } => ({
  ...picture,
  server_time: new Date().toISOString(),
});
