import { LOGO_LIMITS } from '@gp/primitives';

/** A picture as the backend takes it: the kind that the browser says it is, and its bytes in base64. */
export type SentLogo = { readonly media_type: string; readonly content: string };

const TAKEN: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];
/** Sides to which a picture that is too large is reduced, until its file is small enough. */
const SIDES = [512, 256, 128];

/**
 * Reads a file that was chosen as a logo. A picture that is too large is reduced, and one of a kind that only this browser reads is
 * written as a PNG; what is no picture for the browser goes to the backend as it is, which says why it refuses it.
 */
export async function prepareLogo(file: File): Promise<SentLogo> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  // The beginning is enough to be refused.
  if (!picture) return encode(file.slice(0, LOGO_LIMITS.bytes + 1, file.type));
  const { width, height } = picture;
  const isSmall = file.size <= LOGO_LIMITS.bytes && Math.max(width, height) <= LOGO_LIMITS.mostSide;
  if (isSmall && TAKEN.includes(file.type)) return encode(file);
  const sizes = SIDES.map((side) => Math.min(1, side / Math.max(width, height)));
  for (const scale of sizes) {
    const smaller = await draw(picture, scale);
    if (smaller.size <= LOGO_LIMITS.bytes) return encode(smaller);
  }
  return encode(file.slice(0, LOGO_LIMITS.bytes + 1, file.type));
}

async function draw(picture: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (context) context.imageSmoothingQuality = 'high';
  context?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be written'))));
  });
}

function encode(file: Blob): Promise<SentLogo> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
    reader.onload = () => {
      const [, content = ''] = (reader.result as string).split(',', 2);
      resolve({ media_type: file.type, content });
    };
    reader.readAsDataURL(file);
  });
}
