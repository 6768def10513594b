import type { MinimumMessages } from './en.ts';

const messages = {
  sentences: {
    promise:
      'Os cartões são cobrados quando todos tiverem pago, ou quando o tempo acabar se o mínimo for atingido: {minimum}.',
    how3: 'Se o tempo acabar antes e o mínimo tiver sido atingido ({minimum}), é cobrado o que foi pago. Senão, tudo é libertado e ninguém paga nada.',
    payNote:
      'Retido agora, cobrado quando todos tiverem pago, ou quando o tempo acabar se o mínimo for atingido ({minimum}).',
    doneText:
      '{amount} estão retidos no seu cartão. São cobrados quando todas as partes estiverem retidas, ou quando o tempo acabar se o mínimo for atingido ({minimum}); senão são libertados.',
    chargingTitle: 'Cobrança em curso',
    chargingText: 'As partes retidas estão a ser cobradas.',
    shortTitle: 'Pago em parte',
    shortText:
      'Algumas partes foram cobradas. As outras não foram pagas a tempo ou não puderam ser cobradas. O comerciante vê isto e decide o que se segue.',
    reachedTitle: 'O mínimo foi atingido',
    reachedText: 'O mínimo ({minimum}) foi atingido a tempo e as partes pagas foram cobradas.',
    expiredText:
      'Quando o tempo acabou, o que se podia cobrar não chegava ao mínimo ({minimum}), por isso ninguém é cobrado.',
  },
  slots: { slots_one: '{n} parte', slots_other: '{n} partes' },
};
export default messages satisfies MinimumMessages;
