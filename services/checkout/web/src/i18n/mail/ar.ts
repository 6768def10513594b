import type { MailMessages } from './en.ts';

export default {
  heldSubject: 'تم حجز \u2068{amount}\u2069 لأجل \u2068{name}\u2069',
  chargedSubject: 'إيصال: \u2068{amount}\u2069 لأجل \u2068{name}\u2069',
  releasedSubject: 'لم يُخصم منك شيء: \u2068{name}\u2069',
  refundedSubject: 'أُعيد \u2068{amount}\u2069: \u2068{name}\u2069',
  until: 'يمكن دفع الفاتورة حتى \u2068{date}\u2069.',
  asked: 'يطلب منك منظم هذه الفاتورة دفع حصتك.',
  notHeld: 'لا يوجد حجز على بطاقتك الآن.',
  payNow: 'المتابعة إلى الدفع',
  testSubject: 'اختبار',
  title: 'دفعتك',
  see: 'عرض دفعتك',
  why: 'تصلك هذه الرسالة لأن هذا العنوان ذُكر عند الدفع. إن لم تكن أنت من فعل ذلك فتجاهلها أو أوقف هذه الرسائل: لا يُطلب منك شيء.',
  mailsOn: 'تصلك رسائل عن دفعاتك لهذا التاجر.',
  mailsOff: 'لن تصلك بعد الآن رسائل عن الدفعات لهذا التاجر.',
  unsubscribe: 'إيقاف هذه الرسائل',
  subscribe: 'أرسلوا لي الرسائل مجددًا',
  nameShown: 'يرى الآخرون اسمك: \u2068{name}\u2069',
  hideName: 'إخفاء اسمي',
} satisfies MailMessages;
