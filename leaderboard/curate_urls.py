"""Addresses of the curators' workspace, below ``/curate/``."""

from django.urls import path

from leaderboard.views import (
    audit,
    curate,
    curate_again,
    curate_batches,
    curate_data,
    curate_news,
    curate_release,
    curate_scores,
    moderation,
)

urlpatterns = [
    path("", curate.benchmarks, name="curate"),
    path("new/", curate.new_benchmark, name="curate-new"),
    path("audit/", audit.audit, name="curate-all-audit"),
    path("audit/trail.<slug:suffix>", audit.export, name="curate-all-audit-file"),
    path("<slug:slug>/audit/", audit.audit, name="curate-audit"),
    path("<slug:slug>/audit/trail.<slug:suffix>", audit.export, name="curate-audit-file"),
    path("people/", moderation.people, name="curate-people"),
    path("people/<str:username>/unban/", moderation.unban, name="curate-unban"),
    path("<slug:slug>/moderation/", moderation.moderation, name="curate-moderation"),
    path("<slug:slug>/moderation/<uuid:pk>/", moderation.moderate, name="curate-moderate"),
    path(
        "<slug:slug>/bans/<str:username>/remove/", moderation.unban_here, name="curate-unban-here"
    ),
    path("<slug:slug>/news/", curate_news.news, name="curate-news"),
    path("<slug:slug>/news/<int:pk>/", curate_news.edit_news, name="curate-edit-news"),
    path("<slug:slug>/news/<int:pk>/remove/", curate_news.remove_news, name="curate-remove-news"),
    path("<slug:slug>/", curate.benchmark, name="curate-benchmark"),
    path("<slug:slug>/work/", curate_batches.batches, name="curate-batches"),
    path("<slug:slug>/card/", curate.card, name="curate-card"),
    path("<slug:slug>/quota/", curate.quota, name="curate-quota"),
    path("<slug:slug>/curators/", curate.curators, name="curate-curators"),
    path("<slug:slug>/data/", curate_data.add, name="curate-data"),
    path("<slug:slug>/data/store/", curate_data.store, name="curate-store"),
    path("<slug:slug>/r/<str:version>/", curate_release.release, name="curate-release"),
    path("<slug:slug>/r/<str:version>/data/", curate_data.replace, name="curate-replace"),
    path(
        "<slug:slug>/r/<str:version>/data/store/",
        curate_data.store_replacement,
        name="curate-store-replacement",
    ),
    path("<slug:slug>/r/<str:version>/publish/", curate_release.publish, name="curate-publish"),
    path("<slug:slug>/r/<str:version>/discard/", curate_release.discard, name="curate-discard"),
    path("<slug:slug>/r/<str:version>/correct/", curate_release.correct, name="curate-correct"),
    path("<slug:slug>/r/<str:version>/changes/", curate_scores.changes, name="curate-changes"),
    path("<slug:slug>/r/<str:version>/rescore/", curate_scores.rescore, name="curate-rescore"),
    path("<slug:slug>/r/<str:version>/clips/", curate_release.clips, name="curate-clips"),
    path(
        "<slug:slug>/r/<str:version>/clips/<path:key>/",
        curate_release.exclude,
        name="curate-exclude",
    ),
    path("<slug:slug>/r/<str:version>/tracks/", curate_scores.new_track, name="curate-new-track"),
    path(
        "<slug:slug>/r/<str:version>/tracks/<slug:track>/", curate_scores.track, name="curate-track"
    ),
    path(
        "<slug:slug>/r/<str:version>/tracks/<slug:track>/uploads/",
        curate_scores.uploads,
        name="curate-uploads",
    ),
    path(
        "<slug:slug>/r/<str:version>/tracks/<slug:track>/queue/",
        curate_scores.queue,
        name="curate-queue",
    ),
    path(
        "<slug:slug>/r/<str:version>/tracks/<slug:track>/again/",
        curate_again.again,
        name="curate-again",
    ),
    path(
        "<slug:slug>/r/<str:version>/tracks/<slug:track>/reported/",
        curate_news.reported,
        name="curate-reported",
    ),
    path(
        "<slug:slug>/r/<str:version>/tracks/<slug:track>/reported/<int:pk>/",
        curate_news.edit_reported,
        name="curate-edit-reported",
    ),
    path(
        "<slug:slug>/r/<str:version>/tracks/<slug:track>/reported/<int:pk>/remove/",
        curate_news.remove_reported,
        name="curate-remove-reported",
    ),
]
