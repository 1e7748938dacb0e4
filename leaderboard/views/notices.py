"""What the site has told somebody."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from leaderboard.http import signed_in
from leaderboard.models import Notice

PER_PAGE = 50


@login_required
@never_cache
def notices(request: HttpRequest) -> HttpResponse:
    """One's own, newest first; looking at the list marks nothing as read."""
    own = Notice.objects.on_site().filter(user=signed_in(request))
    page = Paginator(own, PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "unread": own.unread().exists()}
    return render(request, "notice/list.html", context)


@login_required
@never_cache
def read(request: HttpRequest, pk: int) -> HttpResponse:
    """Follow a notice to its submission, which marks it as read."""
    own = Notice.objects.filter(user=signed_in(request)).select_related("submission")
    notice = get_object_or_404(own, pk=pk)
    own.unread().filter(pk=pk).update(read_at=timezone.now())
    return redirect(notice.submission or "notices")


@login_required
@require_POST
def read_all(request: HttpRequest) -> HttpResponse:
    """Mark all of one's own as read."""
    Notice.objects.filter(user=signed_in(request)).unread().update(read_at=timezone.now())
    return redirect("notices")
