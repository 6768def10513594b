import { createCipheriv, createHmac, randomBytes, randomInt } from 'node:crypto';

/** The three fields of an order, signed as a merchant's server signs them. */
export function signedOrder(
  account: Readonly<Record<string, string>>,
  shop: string,
  intentId: string,
  amount: string,
  currency: string,
) {
  const order = `${randomInt(1_000, 10_000)}${randomBytes(4).toString('hex')}`;
  const parameters = {
    DS_MERCHANT_AMOUNT: amount,
    DS_MERCHANT_ORDER: order,
    DS_MERCHANT_MERCHANTCODE: account['merchant_code'],
    DS_MERCHANT_TERMINAL: account['terminal'],
    DS_MERCHANT_CURRENCY: currency,
    DS_MERCHANT_TRANSACTIONTYPE: '1',
    DS_MERCHANT_MERCHANTURL: `${shop}/callbacks`,
    DS_MERCHANT_URLOK: `${shop}/ok`,
    DS_MERCHANT_URLKO: `${shop}/ko`,
    DS_MERCHANT_MERCHANTDATA: `payment_intent_id=${intentId}`,
  };
  const packed = Buffer.from(JSON.stringify(parameters)).toString('base64');
  const cipher = createCipheriv(
    'des-ede3-cbc',
    Buffer.from(account['secret_key'] ?? '', 'base64'),
    Buffer.alloc(8),
  );
  cipher.setAutoPadding(false);
  const padded = Buffer.alloc(Math.ceil(order.length / 8) * 8);
  padded.write(order);
  const key = Buffer.concat([cipher.update(padded), cipher.final()]);
  return {
    Ds_SignatureVersion: 'HMAC_SHA256_V1',
    Ds_MerchantParameters: packed,
    Ds_Signature: createHmac('sha256', key).update(packed).digest('base64'),
  };
}

/** The inside of a page with a form that brings such fields to the bank. */
export const formPage = (url: string, fields: Readonly<Record<string, string>>): string => {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  return `<h1>Shop</h1><form method="post" action="${url}">${inputs.join('')}<button>Pay</button></form>`;
};
