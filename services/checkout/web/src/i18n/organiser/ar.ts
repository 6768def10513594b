import { isolateValues } from '../isolate.ts';
import type { OrganiserMessages } from './en.ts';

const messages = {
  eyebrow: 'أنت تنظم هذه الفاتورة',
  keepLink: 'هذه الصفحة لك وحدك: أرسل إلى الآخرين الرابط أدناه، لا عنوان هذه الصفحة.',
  busyNow: 'هناك من يدفع الآن',
  heldNow: 'اكتملت: محجوزة',
  remind_one: 'تذكير بالبريد، عدد الأشخاص: {n}',
  remind_other: 'تذكير بالبريد، عدد الأشخاص: {n}',
  remindHint: 'تصل الرسالة إلى من بدأ الدفع ولم يكمله.',
  reminded_one: 'عدد من تصلهم رسالة: {n}.',
  reminded_other: 'عدد من تصلهم رسالة: {n}.',
  remindedNone: 'وصلت رسالة إلى الجميع قبل قليل.',
  extendTitle: 'وقت إضافي',
  addHour: 'ساعة إضافية',
  addDay: 'يوم إضافي',
  addLatest: 'حتى {date}',
  extended: 'الفاتورة مفتوحة الآن حتى {date}.',
  cannotExtend: 'لا يمكن تمديد الوقت أكثر.',
  payRest: 'دفع المبلغ المتبقي: {amount}',
  cancel: 'إلغاء الفاتورة',
  cancelTitle: 'هل تريد إلغاء هذه الفاتورة؟',
  cancelText: 'يتم إلغاء كل حجز ولا يتم الخصم من أحد. لا يمكن التراجع عن ذلك.',
  cancelYes: 'نعم، إلغاؤها',
  cancelNo: 'لا، تبقى مفتوحة',
  failed: 'لم ينجح ذلك. حاول مجددًا.',
  over: 'لم يعد ذلك ممكنًا.',
  tooMany: 'طلبات كثيرة. انتظر دقيقة.',
  noScript: 'تتطلب هذه الصفحة JavaScript ومتصفحا حديثا. تحقق منهما وأعد تحميل الصفحة.',
} satisfies OrganiserMessages;
export default isolateValues(messages);
